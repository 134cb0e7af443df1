/**
 * Moves the focus to the findings if the button that opened the exchange is no longer shown. Users of keyboards and screen readers then
 * continue at the findings.
 */
export const focusFindings = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(".findings")?.focus({ preventScroll: true })
  })
