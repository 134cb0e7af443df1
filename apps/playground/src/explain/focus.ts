/** Moves the focus to the findings if the button that opened the exchange is no longer shown, so that keyboards and screen readers continue there. */
export const focusFindings = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(".findings")?.focus({ preventScroll: true })
  })
