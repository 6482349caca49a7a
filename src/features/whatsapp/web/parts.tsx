export { CredentialsDialog } from './credentials-dialog.tsx'
