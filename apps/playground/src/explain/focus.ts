/**
 * Moves the focus to the findings if no element has the focus, because the button that the user has pressed is no longer shown. Then users
 * of keyboards and screen readers continue at the findings.
 */
export const focusFindings = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(".findings")?.focus({ preventScroll: true })
  })
