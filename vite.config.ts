import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { earlyScreen, SCREENS } from './scripts/build/early-screen.ts'
import { lateSchemas } from './scripts/build/late-schemas.ts'
import { precompress } from './scripts/build/precompress.ts'
import { growTexts } from './scripts/build/text-to-rem.ts'
import { FIRST_STYLES, waitingStyles } from './scripts/build/waiting-styles.ts'

/**
 * Groups of modules that are built into one file each. Without them the build writes a file for every few modules that the same
 * screens share: 120 for a first page, and each costs a round trip in a browser that loads six at a time. A module belongs to
 * the matching group of the highest priority and takes its imports with it. A small group whose modules two large groups import
 * therefore comes before both.
 */
const FILES: Rolldown.CodeSplittingGroup[] = [
	{
		name: SCREENS,
		test: /web\/(?:screens|session|early-calls|ui\/late-styles|router\/match)\.ts|late-mantine\.css\?url|vite\/preload-helper/,
		priority: 9,
	},
	// The stylesheet that loads late comes after the styles of components and before the styles of the app.
	{ name: FIRST_STYLES[0], test: /theme\/mantine\.css/, priority: 10 },
	{ name: FIRST_STYLES[1], test: /(?:ui\/base|web\/app|theme\/forced-colors)\.css/, priority: 10 },
	{ name: 'start', tags: ['$initial'], priority: 8 },
	// The schemas of forms. Those of one screen are in its own file.
	{
		name: 'schemas',
		test: /node_modules\/zod\/|(?:lib\/(?:fields|request-id)|auth\/contract)\.ts\?schemas/,
		includeDependenciesRecursively: false,
		priority: 8,
	},
	{
		name: (id) => `${/features\/(\w+)/.exec(id)?.[1]}-schemas`,
		test: /features\/(?!developer\/).*\?schemas/,
		minShareCount: 2,
		includeDependenciesRecursively: false,
		priority: 8,
	},
	// Modules that sign-in shares with the frame of the app; otherwise a guest would load the whole frame.
	{
		name: 'basics',
		test: /lib\/(?:fields\.ts\?plain|text\/clean-texts|web\/ui\/use-after-render)|components\/(?:ActionIcon|Anchor)\/|use-disclosure|use-resolved-styles-api|get-auto-contrast-value/,
		priority: 8,
	},
	// Modules that the first step of Create Campaign shows while the rest of the form loads.
	{
		name: 'inputs',
		test: /components\/(?:Input|InputBase|TextInput|Textarea|CloseButton)\/|core\/utils\/get-env|DirectionProvider|hooks\/.*use-(?:debounced-value|id|uncontrolled|merged-ref)\/|usePrefetchQuery|drafts\/draft-store|web\/limited|ui\/(?:form-section|preview-pane)|create\/(?:use-templates|create-campaign\.module|steps\/(?:steps|form-step)|summary\/campaign-info)|features\/templates\/(?:contract\.ts\?plain|limits)|Icon(?:Check|DeviceMobile)\.mjs/,
		includeDependenciesRecursively: false,
		priority: 8,
	},
	// Modules that only the dashboard needs at once. The modules that it shares are loaded with the frame of the app, because
	// most screens need them.
	{
		name: 'dashboard',
		test: /dashboards\/web\/user\/(?!history|latest)/,
		includeDependenciesRecursively: false,
		priority: 8,
	},
	// Modules that the dashboard shares with most screens, but not with the frame of the app and the first step.
	{
		name: 'figures',
		test: /features\/(?:delivery|campaigns|whatsapp)\/rules\.ts(?!\?schemas)|delivery\/web\/(?:parts|limit-words)|campaigns\/web\/parts|components\/(?:Progress|Skeleton)\/|layout\/(?:stat-tile|card)|value\/(?:date-time|ask-admin)|web\/relative-time|Icon(?:CalendarMonth|CircleCheckFilled|Gauge)\.mjs/,
		includeDependenciesRecursively: false,
		priority: 8,
	},
	{ name: 'shell', test: /shell\/layout\.tsx|user\/user-dashboard\.tsx/, priority: 7 },
	{
		name: 'small',
		test: /feedback\/(?:confirm-dialog|leave-guard|notice)\.tsx|form\/(?:busy|action)-button|web\/use-action\.ts|use-draft-dialog|value\/facts|workbook-files|contacts\/contract\.ts\?plain|IconMapOff\.mjs/,
		minShareCount: 3,
		priority: 6,
	},
	{ name: 'icons', test: /@tabler/, minShareCount: 2, priority: 6 },
	{
		name: 'forms',
		test: /mantine\/form|lib\/web\/form\.ts|ui\/form\/form\.tsx|components\/Radio\//,
		priority: 5,
	},
	{
		name: 'overlays',
		test: /components\/(?:Modal|Drawer|Popover|Menu|Select)\/|hooks\/.*use-(?:focus|click)|ui\/form\/(?:form-dialog|guarded-form)/,
		priority: 4,
	},
	// Modules that Create Campaign does without.
	{
		name: 'hooks',
		test: /mantine\/hooks\/(?!.*use-(?:focus|click))|components\/Portal\//,
		minShareCount: 3,
		priority: 5.5,
	},
	{ name: 'choices', test: /components\/Checkbox\/|form\/form-buttons\.tsx/, priority: 5 },
	{
		name: 'details',
		test: /CopyButton|copy-button|ui\/value\/phone|file-summary|table\/filters\/filter|notifications\/web\/push/,
		minShareCount: 2,
		includeDependenciesRecursively: false,
		priority: 4,
	},
	// Lists without actions, as on the dashboards, do without the code of menus.
	{
		name: 'row-actions',
		test: /table\/row\/row-actions/,
		minShareCount: 2,
		includeDependenciesRecursively: false,
		priority: 4,
	},
	{ name: 'tables', test: /lib\/web\/ui\/table\//, minShareCount: 10, priority: 3 },
	// Loaded after the first view of Create Campaign.
	{
		name: 'phone',
		test: /templates\/web\/(?:phone\/|parts)|value\/chat-mark|templates\/plain-text/,
		minShareCount: 2,
		includeDependenciesRecursively: false,
		priority: 3,
	},
	{ name: 'shared', minShareCount: 10 },
	// Modules that the screens of campaigns, templates and chats share; most are smaller than the headers of a separate
	// response.
	{
		name: 'payments',
		test: /features\/payments\/(?:[^/]+\.ts|web\/(?:add\/(?:amounts|add-money)\.ts|add-money-button))|pricing\/markets|lib\/app-error/,
		minShareCount: 2,
		includeDependenciesRecursively: false,
		priority: 3,
	},
	{
		name: 'templates',
		test: /features\/templates\/(?!rules|languages|button-rules)[^/]+\.ts|chat-markup|feedback\/missing|web\/(?:files\/)?upload|lib\/durations|campaigns\/preflight-contract|delivery\/sending-rules/,
		minShareCount: 2,
		priority: 2,
	},
	{
		name: 'campaigns',
		test: /features\/(?:campaigns|audiences)\/(?:[^/]+\.ts|web\/(?:campaign-errors|status-badges|parts)\.|web\/create\/fields\/campaign-fields)|templates\/web\/(?:parts|status-badges)|web\/ui\/(?:form-section|layout\/facts|preview-pane)|contacts\/(?:web\/)?custom-fields|audiences\/web\/sample-message/,
		minShareCount: 2,
		priority: 1,
	},
]

export default defineConfig({
	plugins: [lateSchemas(), react(), growTexts(), waitingStyles(), earlyScreen(), precompress()],
	build: {
		outDir: 'dist/web',
		manifest: true,
		target: 'es2023',
		assetsInlineLimit: 0,
		// All browsers of the target know module preloads.
		modulePreload: { polyfill: false },
		chunkSizeWarningLimit: 700,
		rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
	},
})
