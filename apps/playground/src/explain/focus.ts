/** Where the focus goes when the button that opened an exchange is no longer shown: keyboards and screen readers continue at its findings. */
export const focusFindings = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(".findings")?.focus({ preventScroll: true })
  })
