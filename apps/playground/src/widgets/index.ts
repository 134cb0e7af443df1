/** The widgets that the monitor's dashboard has too. */
export { CopyButton } from "./CopyButton.tsx"
export { Alert, Button, Form, Select, Submit, TextField } from "./forms.tsx"
export { Heads } from "./Heads.tsx"
export { Top } from "./Top.tsx"
export { VirtualList } from "./VirtualList.tsx"
