/**
 * A map by campaign and a number within it: a message, a block, a minute. Text keys would be built and hashed several times for
 * each of the thousands of messages in a batch.
 */
export class MessageMap<T> {
	readonly #campaigns = new Map<number, Map<number, T>>()

	get(campaignId: number, number: number): T | undefined {
		return this.#campaigns.get(campaignId)?.get(number)
	}

	set(campaignId: number, number: number, value: T): void {
		const numbers = this.#campaigns.get(campaignId)
		if (numbers) numbers.set(number, value)
		else this.#campaigns.set(campaignId, new Map([[number, value]]))
	}

	values(): T[] {
		return [...this.#campaigns.values()].flatMap((numbers) => [...numbers.values()])
	}
}
