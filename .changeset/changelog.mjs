/** The lines of changelogs: the text of each changeset, without the hash of its commit. */
export default {
  getReleaseLine: ({ summary }) => `- ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`,
  getDependencyReleaseLine: () => ""
}
