/** @module */
/** x */
export const Ask = () => <p>later</p>
