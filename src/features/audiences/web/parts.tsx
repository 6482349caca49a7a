import { latePart } from '#lib/web/ui/late-part.tsx'

export { tagsBesideRupees } from './likely-values.ts'
export type { TagSource, WrittenColumn } from './merge-tags.ts'
export { useFilledVariables } from './use-filled-variables.ts'

/** Shows the values of a template's variables. Loaded late, because it is used once a template is chosen. */
export const VariableInputs = latePart(() => import('./variable-inputs.tsx').then((module) => module.VariableInputs))
