/**
 * Moves the focus to the findings if no element has the focus, so that users of keyboards and screen readers continue at the findings. The
 * focus is lost when the page removes the button that the user has pressed.
 */
export const focusFindings = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(".findings")?.focus({ preventScroll: true })
  })
