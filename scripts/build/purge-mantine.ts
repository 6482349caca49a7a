import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'
import { dropUnusedHues, keepUsedRules } from './purge-css.ts'

const MANTINE_CLASS = /m_[0-9a-f]{4,8}/g

type Bundle = Rolldown.OutputBundle[string][]

/**
 * Mantine ships one stylesheet for all its components, and names each class by a hash ("m_77c9d27d") that is in the
 * component's JavaScript as well. A rule whose hash is in no chunk belongs to a component that this project does not use.
 * The variables of colours that nothing names go as well.
 */
export function purgeUnusedMantineRules(): Plugin {
	return {
		name: 'purge-unused-mantine-rules',
		apply: 'build',
		enforce: 'post',
		generateBundle: {
			order: 'post',
			handler(_, bundle) {
				const files = Object.values(bundle)
				const used = classesIn(files)
				const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
				for (const file of files) {
					if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
					const before = String(file.source)
					const after = dropUnusedHues(keepUsedRules(before, used), code)
					if (after === before) continue
					file.source = after
					const oldName = file.fileName
					// Browsers keep a file with a hash in its name for ever, so a changed text needs another name.
					file.fileName = oldName.replace(/-[\w-]{8}\.css$/, `-${hashOf(after)}.css`)
					renameIn(files, oldName, file.fileName)
				}
			},
		},
	}
}

function classesIn(files: Bundle): Set<string> {
	const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []))
	return new Set(scripts.flatMap((code) => code.match(MANTINE_CLASS) ?? []))
}

function renameIn(files: Bundle, oldName: string, newName: string): void {
	for (const file of files) {
		if (file.type === 'chunk') file.code = file.code.replaceAll(oldName, newName)
		else if (/\.(html|json)$/.test(file.fileName)) file.source = String(file.source).replaceAll(oldName, newName)
	}
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
