import type { Violation } from '../violations.ts'

const kinds = (...codes: string[]) =>
	`export const problem = problemsOf({\n${codes.map((code) => `\t${code}: { status: 400, text: 'No' },\n`).join('')}})\n`

/**
 * Violations of the rules for error codes: refusals without a code, codes that are unused, misspelt or defined twice, and
 * split codes of Meta.
 */
export const problemViolations: Violation[] = [
	{
		path: 'src/features/contacts/server/refuse.ts',
		text: "throw new AppError(400, 'This contact is not allowed')\n",
		message: /A refusal has a code/,
	},
	{
		path: 'src/features/contacts/server/refusal.ts',
		text: 'export class ContactRefused extends AppError {}\n',
		message: /A refusal has a code/,
	},
	{
		path: 'src/features/contacts/server/own-problems.ts',
		text: kinds('contact_lost'),
		message: /A refusal has a code/,
	},
	{
		path: 'src/features/statements/problems.ts',
		text: kinds('statement_lost'),
		message: /Nothing throws "statement_lost"/,
	},
	{
		path: 'src/features/privacy/problems.ts',
		text: `${kinds('person_lost', 'personGone')}\nexport const used = ['person_lost', 'personGone']\n`,
		message: /Write the code "personGone" in snake_case/,
	},
	{
		path: 'src/features/templates/problems.ts',
		text: kinds('person_lost'),
		message: /src\/features\/privacy\/problems\.ts has the code "person_lost" already/,
	},
	{
		path: 'src/features/delivery/server/throttled.ts',
		text: `export const throttled = ${['131', '049'].join('_')}\n`,
		message: /in one piece/,
	},
]
