// `npm run screens`: takes pictures of every screen for each role, size and colour scheme, and puts them on contact sheets.
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startApp } from '#test/e2e/fixtures.ts'
import { screensByRole } from '#test/e2e/screens.ts'
import type { Product } from '#test/full-stack.ts'
import { DEMO_ADMIN, DEMO_USER } from './demo/data.ts'
import { createHardData, HARD_ADMIN, HARD_USER, type HardData } from './demo/hard/data.ts'
import { photographScreens, type Photograph } from './screens/photographs.ts'
import { writeSheets } from './screens/sheets.ts'

const HEIGHTS: Record<number, number> = { 1440: 900, 1024: 768, 768: 1024, 390: 844, 320: 700 }

const { values } = parseArgs({
	options: {
		out: { type: 'string', default: 'test-results/screens' },
		widths: { type: 'string', default: '1440,390' },
		schemes: { type: 'string', default: 'light,dark' },
		roles: { type: 'string', default: 'guest,admin,user' },
		path: { type: 'string', default: '' },
		hard: { type: 'boolean', default: false },
	},
})
const out = resolve(values.out)
const sizes = values.widths.split(',').map((text) => ({ width: Number(text), height: HEIGHTS[Number(text)] ?? 900 }))
const schemes = values.schemes.split(',').filter((scheme) => scheme === 'light' || scheme === 'dark')
const roles = values.roles.split(',')

rmSync(join(out, 'photographs'), { recursive: true, force: true })
mkdirSync(join(out, 'photographs'), { recursive: true })
let data: HardData | undefined
const app = await startApp({
	env: { LANDING: 'page' },
	...(values.hard && {
		async fill({ process: { context }, simulator }: Product) {
			data = await createHardData(context, simulator)
		},
	}),
})
const problems: string[] = []
try {
	const persons = {
		guest: undefined,
		admin: await app.signedIn(values.hard ? HARD_ADMIN.email : DEMO_ADMIN.email),
		user: await app.signedIn(values.hard ? HARD_USER.email : DEMO_USER.email),
	}
	const photographs: Photograph[] = []
	for (const { role, screens } of screensByRole(data).filter((group) => roles.includes(group.role))) {
		const as = persons[role]
		const shown = screens.filter(({ path }) => path.includes(values.path))
		await app
			.withPage({ ...(as && { as }), size: { width: 1440, height: 900 } }, async ({ page }) => {
				photographs.push(...(await photographScreens(page, { role, screens: shown, sizes, schemes, out, problems })))
			})
			.catch((error: unknown) => problems.push(`${role}: ${String(error)}`))
	}
	const sheets = await writeSheets(photographs, out)
	console.log(`${photographs.length} pictures on ${sheets} sheets in ${out}`)
} finally {
	await app.close()
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
