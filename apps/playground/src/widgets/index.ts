/** The widgets that the monitor's dashboard has too. */
export { CopyButton } from "./CopyButton.tsx"
export { Alert, Button, Form, Select, Submit, TextField } from "./forms.tsx"
export { Facts } from "./Facts.tsx"
export { Players, Rules } from "./Replies.tsx"
export { SortBy } from "./SortBy.tsx"
export { Table } from "./Table.tsx"
export { Top } from "./Top.tsx"
export { VirtualList } from "./VirtualList.tsx"
