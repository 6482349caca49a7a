import { readFileSync } from 'node:fs'

export const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')

/** Paths that the stages of the Dockerfile copy from the repository. */
export const copiedPaths = pathsCopiedBy(dockerfile)

const [, webStage = '', , lastStage = ''] = dockerfile.split(/^FROM /m)

/** Stage that builds the web app: the paths that it copies from the repository, and its last command. */
export const webBuild = {
	paths: pathsCopiedBy(webStage),
	command: [...webStage.matchAll(/^RUN (.*)$/gm)].at(-1)?.[1] ?? '',
}

/** Paths that the last stage copies from the repository: the files at run time besides packages, sources and the web app. */
export const runtimePaths = pathsCopiedBy(lastStage)

function pathsCopiedBy(text: string): string[] {
	const lines = [...text.matchAll(/^COPY (?!--from)(.*)$/gm)].map(([, line = '']) => line.trim().split(/\s+/))
	return lines.flatMap((words) => words.slice(0, -1).filter((word) => !word.startsWith('--')))
}
