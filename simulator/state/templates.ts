export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
export type TemplateStatus = 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED'
export type Quality = 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
export type Component = Record<string, unknown>

export interface Template {
	/** Seventeen digits, more than a JavaScript number holds exactly, as at Meta. */
	id: string
	waba_id: string
	name: string
	language: string
	status: TemplateStatus
	category: TemplateCategory
	previous_category: TemplateCategory | null
	correct_category: TemplateCategory | null
	components: Component[]
	parameter_format: 'POSITIONAL' | 'NAMED'
	quality: Quality
	quality_at: number
	rejected_reason: string
	message_send_ttl_seconds: number | null
	updated_at: number
	edited_at: number[]
	/** Time of the review while the status is PENDING. */
	review_at: number | null
}
