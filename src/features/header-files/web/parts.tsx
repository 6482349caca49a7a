import { latePart } from '#lib/web/ui/late-part.tsx'

/**
 * The choice between one header file for everybody and a file for each person. Loaded late, because few campaigns have such
 * a file.
 */
export const PersonFiles = latePart(() => import('./person-files.tsx').then((module) => module.PersonFiles))
