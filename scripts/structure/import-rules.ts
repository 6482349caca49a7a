import { FEATURES, PUBLIC_FILES } from './features.ts'

// A ban on imports. Overrides of oxlint replace one another instead of adding up, so this file gives each kind of file its
// whole list.
export interface Ban {
	regex: string
	message: string
}

const far: Ban = {
	regex: '^\\.\\./\\.\\./',
	message: 'Leave a folder by its name: #lib/…, #features/…, #app/…, #simulator/… or #test/… instead of ../../',
}
const nothingOutside: Ban = {
	regex: '^\\.\\.(/|$)',
	message: 'Leave this folder by its name: #lib/… or #features/<noun>/…',
}
const noTests: Ban = {
	regex: '^(#(test|simulator|embedded)/|(\\.\\./)+(test|simulator|embedded|scripts|bench)/)',
	message:
		'The product does not use its tests, scripts, simulator or embedded PostgreSQL: move what both need to src/lib, or pass it in.',
}
const noFeatures: Ban = {
	regex: '^(#|\\.\\./)(features|app)/',
	message: 'lib knows no feature: pass in what it needs, or move this file into the feature.',
}
const noApp: Ban = { regex: '^#app/', message: 'Features do not know the app: let src/app pass in what this needs.' }
const noWeb: Ban = {
	regex: '^(#(lib|app)/|#features/[^/]+/|\\.\\.?/)web/',
	message: 'The server does not use the web side: put what both need into contract.ts, rules.ts or src/lib.',
}
const noReact: Ban = {
	regex: '^(react|react-dom|virtua|recharts|@mantine/.+|@tabler/.+|@tanstack/react-.+)(/|$)',
	message: 'React and its libraries belong to web/ folders.',
}
const noServer: Ban = {
	regex: '^(#(lib|app)/|#features/[^/]+/|\\.\\.?/)server/',
	message: 'The browser does not use the server side: call an endpoint of a contract.ts through #lib/web/api.ts.',
}
// Any feature may use the addresses of any other, because screens link to one another in every direction.
const noImports: Ban = { regex: '.', message: 'paths.ts holds the addresses of screens and uses nothing.' }
const noNode: Ban = {
	regex: '^node:',
	message: 'This file also runs in the browser, which has no node: modules. Do it in server/, or use a web standard.',
}
const onlyZod: Ban = {
	regex: `^${allBut(['zod', 'zod/mini'], '.#')}`,
	message: 'Files that both sides share use only each other and zod. Do this in server/ or web/.',
}

function ban(...patterns: Ban[]) {
	return { 'no-restricted-imports': ['error', { patterns }] as ['error', { patterns: Ban[] }] }
}

const lib = [
	{
		files: ['src/lib/*.ts', 'src/lib/{files,phone,text}/*.ts'],
		rules: ban(nothingOutside, noFeatures, noTests, noServer, noWeb, noNode, onlyZod),
	},
	// Browser and server share the countries' numbering plans and CSV. Browsers load these files when needed.
	{
		files: [
			'src/lib/phone/phone-plan.ts',
			'src/lib/phone/phone-reader.ts',
			'src/lib/phone/calling-code.ts',
			'src/lib/files/csv-table.ts',
		],
		rules: ban(nothingOutside, noFeatures, noTests, noServer, noWeb, noNode),
	},
	{ files: ['src/lib/server/**'], rules: ban(far, noFeatures, noTests, noWeb, noReact) },
	{ files: ['src/lib/web/**'], rules: ban(far, noFeatures, noTests, noServer, noNode) },
]

const app = [
	{ files: ['src/app/*.ts'], rules: ban(nothingOutside, noTests, noServer, noWeb, noNode, onlyZod) },
	{ files: ['src/app/server/**'], rules: ban(far, noTests, noWeb, noReact) },
	{ files: ['src/app/web/**'], rules: ban(far, noTests, noServer, noNode) },
]

const outsideSrc = [
	{
		files: ['simulator/**'],
		rules: ban(far, {
			regex: '^(#(app|features|lib|test)/|\\.\\./(src|test)/)',
			message: 'The simulator stands for Meta and knows nothing of the product: talk to it over HTTP.',
		}),
	},
	{
		files: ['embedded/**'],
		rules: ban(far, {
			regex: '^(#(app|features|lib|test|simulator)/|(\\.\\./)+(src|test|simulator|scripts)/)',
			message: 'PostgreSQL for one machine knows nothing of the product that uses it.',
		}),
	},
	{
		files: ['scripts/serve.ts'],
		rules: ban(far, {
			regex: '^(#(test|simulator)/|\\./demo/)',
			message: 'Production loads no test, simulator or demo.',
		}),
	},
	// Tests are in the folder of the code that they test, and may import any module.
	{ files: ['src/**/*.test.ts', 'src/**/*.test.tsx', '{simulator,embedded}/**/*.test.ts'], rules: ban(far) },
]

function cellsOf(feature: string) {
	const folder = `src/features/${feature}`
	const earlier = FEATURES.slice(0, FEATURES.indexOf(feature))
	const others = [...neighbours(feature, earlier), ...earlier.map(entrance), noApp, noTests]
	return [
		{ files: [`${folder}/*.ts`], rules: ban(nothingOutside, noServer, noWeb, noNode, onlyZod, ...others) },
		{ files: [`${folder}/paths.ts`], rules: ban(noImports) },
		{ files: [`${folder}/server/**`], rules: ban(far, noWeb, noReact, ...others) },
		{ files: [`${folder}/web/**`], rules: ban(far, noServer, noNode, ...others) },
	]
}

const SHARED = ['contract.ts', 'problems.ts', 'rules.ts', 'paths.ts']

function entrance(feature: string): Ban {
	const named = PUBLIC_FILES[feature] ?? []
	return {
		regex: `^#features/${feature}/${allBut([...SHARED, 'server/service.ts', 'web/parts.tsx', ...named])}`,
		message: `This is no public file of ${feature}: import one that is, or name it in scripts/structure/features.ts.`,
	}
}

function neighbours(feature: string, earlier: string[]): Ban[] {
	return [
		// Imports of files outside server/ and web/ start at the root, so that deep folders need no ../../.
		{
			regex: `^#features/${feature}/[^/]+/`,
			message: 'Inside a feature import relatively: ./queries.ts, ../settlement/settle.ts',
		},
		{
			regex: `^#features/(${FEATURES.slice(earlier.length + 1).join('|')})/${allBut(['paths.ts'])}`,
			message: `${feature} may only use the features before it (${earlier.join(', ') || 'none'}): let src/app connect the two.`,
		},
	].filter(({ regex }) => !regex.includes('()'))
}

// Returns a pattern for anything but these words. The linter's regular expressions have no lookahead, so the pattern lists the
// letters.
function allBut(words: string[], startsAllowed = ''): string {
	const letters = [...new Set(words.flatMap((word) => word.slice(0, 1)))].filter(Boolean)
	const others = `[^${letters.join('').replace('-', '\\-')}${startsAllowed}].*`
	const branches = letters.map((letter) => {
		const tails = words.filter((word) => word.startsWith(letter)).map((word) => word.slice(1))
		return letter.replace(/[.]/, '\\.') + allBut(tails)
	})
	const end = words.includes('') || startsAllowed ? [] : ['$']
	return `(${[...branches, letters.length > 0 || startsAllowed ? others : '.+', ...end].join('|')})`
}

export const importRules = [...lib, ...FEATURES.flatMap(cellsOf), ...app, ...outsideSrc]
