import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { earlyScreen, SCREENS } from './scripts/build/early-screen.ts'
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
	// Modules that sign-in shares with the frame of the app; otherwise a guest would load the whole frame.
	{
		name: 'basics',
		test: /components\/(?:ActionIcon|Anchor)\/|use-disclosure|use-resolved-styles-api|get-auto-contrast-value/,
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
	{ name: 'shell', test: /shell\/layout\.tsx|user\/user-dashboard\.tsx/, priority: 7 },
	{
		name: 'small',
		test: /components\/(?:CloseButton|Portal|Transition|Loader|Input|TextInput)\/|mantine\/hooks\/(?!.*use-(?:focus|click))|feedback\/(?:confirm-dialog|leave-guard|notice)\.tsx|form\/action-button\.tsx|drafts\/draft-store/,
		minShareCount: 3,
		priority: 6,
	},
	{ name: 'icons', test: /@tabler/, minShareCount: 2, priority: 6 },
	{
		name: 'forms',
		test: /mantine\/form|lib\/web\/form\.ts|ui\/form\/(?:form|form-buttons)\.tsx|components\/(?:Checkbox|Radio|Textarea)\//,
		priority: 5,
	},
	{
		name: 'overlays',
		test: /components\/(?:Modal|Drawer|Popover|Menu|Select)\/|hooks\/.*use-(?:focus|click)|ui\/form\/(?:form-dialog|guarded-form)/,
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
		name: 'templates',
		test: /features\/templates\/(?!rules|languages|button-rules)[^/]+\.ts|chat-markup|ui\/value\/phone|feedback\/missing|web\/(?:files\/)?upload|lib\/durations|campaigns\/(?:preflight-contract|web\/sample-message)|delivery\/sending-rules/,
		minShareCount: 2,
		priority: 2,
	},
	{
		name: 'campaigns',
		test: /features\/(?:campaigns|audiences)\/(?:[^/]+\.ts|web\/(?:campaign-errors|status-badges|parts)\.|web\/create\/fields\/campaign-fields)|templates\/web\/(?:parts|status-badges)|web\/ui\/(?:form-section|table\/filters\/filter|layout\/facts|preview-pane)|notifications\/web\/push/,
		minShareCount: 2,
		priority: 1,
	},
]

export default defineConfig({
	plugins: [react(), growTexts(), waitingStyles(), earlyScreen(), precompress()],
	build: {
		outDir: 'dist/web',
		manifest: true,
		target: 'es2023',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 700,
		rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
	},
})
