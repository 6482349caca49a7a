import type { Claimed, Scene, Target } from './scene.ts'

/** What an operation has promised to send. */
export interface Order {
	campaignId: number
	numbers: readonly string[]
}

/** How an operation went beside another one. */
export interface Ran {
	/** Undefined after a refusal. */
	order: Order | undefined
	isRefused: boolean
	/** By `tick`. */
	endTick: number
	beside: Operation
}

/** An operation that is ready to run in its scene. */
export interface Begun {
	/** Calls the product as its routes and workers do. A refusal is an `AppError`. */
	run(): Promise<Order | undefined>
	/** Returns the promises of the operation that do not hold after both have ended and all was sent. */
	check?(ran: Ran): Promise<string[]> | string[]
}

export interface Operation {
	name: string
	/** The campaigns that it may be about; none where it is about none or makes its own. */
	targets?: readonly Target[]
	begin(scene: Scene, target: Target): Promise<Begun> | Begun
	/** Beside it an order may stay unsent, as it pauses or ends campaigns. */
	stops?: boolean
	/** Beside it the order may leave people out. */
	leavesOut?: boolean
	/** Lets a campaign or a person that another operation has stopped go on. */
	undoes?: boolean
	/** Orders messages. */
	orders?: boolean
}

/** Returns an operation that promises nothing of its own. `campaignId` is 0 where it has no targets. */
export function step(
	name: string,
	work: (scene: Scene, campaignId: number) => Promise<unknown>,
	further: Omit<Operation, 'name' | 'begin'> = {},
): Operation {
	return {
		name,
		...further,
		async begin(scene, target) {
			const campaignId = further.targets ? await scene.campaign(target) : 0
			return { run: () => work(scene, campaignId).then(() => undefined) }
		},
	}
}

/** Returns reports on claimed messages, as the network sends them. */
export function reportsOn(claims: readonly Claimed[], wamidOf: (message: Claimed['message']) => string) {
	return claims.map(({ message }) => ({
		id: wamidOf(message),
		status: 'delivered',
		recipient_id: message.number,
		timestamp: String(Math.floor(Date.now() / 1000)),
	}))
}
