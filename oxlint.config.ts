import { defineConfig } from 'oxlint'
import { importRules } from './scripts/structure/import-rules.ts'

const testFiles = ['**/*.test.ts', '**/*.test.tsx', 'test/**', 'bench/**']

const noAny = [
	'no-unsafe-argument',
	'no-unsafe-assignment',
	'no-unsafe-call',
	'no-unsafe-member-access',
	'no-unsafe-return',
]
const typed = Object.fromEntries(noAny.map((rule) => [`typescript/${rule}`, 'error' as const]))
const untyped = Object.fromEntries(noAny.map((rule) => [`typescript/${rule}`, 'off' as const]))

export default defineConfig({
	options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
	plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'node'],
	categories: { correctness: 'error', suspicious: 'error' },
	env: { node: true, browser: true, es2024: true },
	ignorePatterns: ['dist', '.data', 'test-results'],
	rules: {
		eqeqeq: 'error',
		'max-lines-per-function': ['error', { max: 70, skipBlankLines: false, skipComments: false }],
		'max-params': ['error', { max: 3 }],
		'no-console': 'error',
		'no-empty': 'error',
		'no-param-reassign': 'error',
		'no-var': 'error',
		'prefer-const': 'error',
		'import/no-cycle': 'error',
		'import/no-default-export': 'error',
		'oxc/no-barrel-file': 'error',
		'typescript/no-explicit-any': 'error',
		'typescript/no-floating-promises': 'error',
		'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
		'typescript/no-non-null-assertion': 'error',
		...typed,
		'typescript/only-throw-error': 'error',
		'typescript/switch-exhaustiveness-check': 'error',
		'unicorn/no-abusive-eslint-disable': 'error',
		'unicorn/prefer-node-protocol': 'error',
		'react/rules-of-hooks': 'error',
		'react/no-danger': 'error',
		// The compiler's JSX transform imports React.
		'react/react-in-jsx-scope': 'off',
		// tsc checks this, and knows which functions return nothing on purpose.
		'typescript/consistent-return': 'off',
		// `_id` is the specification's name on the wire.
		'no-underscore-dangle': 'off',
		// Casts are allowed where text enters from outside; check-structure guards the important one (AccountId).
		'typescript/no-unsafe-type-assertion': 'off',
		// The project's objects are made of closures, which have no `this` to lose.
		'typescript/unbound-method': 'off',
		// Live regions and scrolling tables need the role and the tab stop that these two rules forbid.
		'jsx-a11y/prefer-tag-over-role': 'off',
		'jsx-a11y/no-noninteractive-tabindex': 'off',
		// A stylesheet is imported for its effect.
		'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
	},
	overrides: [
		...importRules,
		{ files: ['**/*.mjs', 'public/*.js'], rules: untyped },
		{ files: ['public/*.js'], rules: { 'unicorn/require-post-message-target-origin': 'off' } },
		// Node's test runner loads a reporter by its default export.
		{ files: ['*.config.ts', 'scripts/testing/reporter.ts'], rules: { 'import/no-default-export': 'off' } },
		{
			files: ['scripts/**', 'simulator/main.ts', 'simulator/*-log.ts', 'bench/**', ...testFiles],
			rules: { 'no-console': 'off' },
		},
		{
			// A table that is displayed as cards loses its roles in some browsers unless they are explicit.
			files: ['src/lib/web/ui/table/{data-rows,header-cell}.tsx'],
			rules: {
				'jsx-a11y/no-redundant-roles': 'off',
				'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
			},
		},
		{
			files: testFiles,
			rules: {
				'max-lines-per-function': 'off',
				'max-params': 'off',
				'typescript/require-array-sort-compare': 'off',
				'typescript/no-floating-promises': [
					'error',
					{
						allowForKnownSafeCalls: [
							{ from: 'package', package: 'node:test', name: ['test', 'describe', 'it', 'suite', 'after', 'before'] },
						],
					},
				],
			},
		},
	],
})
