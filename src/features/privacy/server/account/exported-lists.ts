import { ACCOUNT, type AccountList } from './account-queries.ts'

/** A file of the zip, with its description in the README. */
export interface ExportedFile {
	path: string
	what: string
}

/** Single rows of an account, which become the parts of `profile.json` with these names. */
export const PROFILE: Readonly<Record<string, AccountList>> = {
	user: {
		table: 'users',
		key: 'id',
		columns: {
			name: 'name',
			email: 'email',
			role: 'role',
			createdAt: 'created_at',
			businessName: 'business_name',
			businessAddress: 'business_address',
			businessState: 'business_state',
			gstin: 'gstin',
		},
	},
	wallet: {
		table: 'wallets',
		key: 'account_id',
		columns: { availablePaise: 'available_paise', heldPaise: 'held_paise', lowBalancePaise: 'low_balance_paise' },
	},
	prices: {
		table: 'prices',
		key: 'account_id',
		columns: {
			marketingPaise: 'marketing_paise',
			utilityPaise: 'utility_paise',
			authenticationPaise: 'authentication_paise',
			servicePaise: 'service_paise',
			otherCountries: 'abroad_rule',
			fixedPrices: `(
				select coalesce(jsonb_agg(jsonb_build_object(
					'market', m.market, 'category', m.category, 'pricePaise', m.price_paise
				) order by m.market, m.category), '[]') from market_prices m where m.account_id = ${ACCOUNT}
			)`,
		},
	},
	whatsapp: {
		table: 'senders',
		key: 'account_id',
		columns: {
			number: 'display_phone_number',
			phoneNumberId: 'phone_number_id',
			businessAccountId: 'waba_id',
			name: 'verified_name',
			businessName: 'business_name',
		},
	},
	sendingRules: {
		table: 'sending_rules',
		key: 'account_id',
		columns: {
			maxMarketingMessages: 'max_messages',
			inDays: 'in_days',
			quietFrom: 'quiet_from::text',
			quietUntil: 'quiet_until::text',
			marketingRoute: "coalesce(marketing_route, 'automatic')",
			sharesActivity: 'coalesce(shares_activity, false)',
		},
	},
	chatSettings: {
		table: 'chat_settings',
		key: 'account_id',
		columns: {
			confirmsOptOut: 'confirms_opt_out',
			optOutText: 'opt_out_text',
			optInText: 'opt_in_text',
			optOutWords: 'opt_out_words',
			optOutButtons: 'opt_out_buttons',
		},
	},
}

/** Lists that no other export writes. */
export const LISTS: readonly (ExportedFile & AccountList)[] = [
	{
		path: 'groups.csv',
		what: 'groups of contacts',
		table: 'contact_groups',
		key: 'id',
		columns: { name: 'name', type: 'type', description: 'description', createdAt: 'created_at' },
		where: 'deleted_at is null',
	},
	{
		path: 'segments.csv',
		what: 'segments of contacts, with their rules',
		table: 'segments',
		key: 'id',
		columns: { name: 'name', match: 'match', rules: 'rules', createdAt: 'created_at' },
	},
	{
		path: 'opt-outs.csv',
		what: 'who gets marketing or not, and since when; people who were erased stand there as codes',
		table: 'opt_outs',
		key: 'number',
		columns: { number: 'number', optedOut: 'is_opted_out', because: 'because', changedAt: 'changed_at' },
	},
	{
		path: 'opt-out-changes.csv',
		what: 'each change of that',
		table: 'opt_out_changes',
		key: 'id',
		columns: { number: 'number', optedOut: 'is_opted_out', because: 'because', changedAt: 'changed_at' },
	},
	{
		path: 'whatsapp-ids.csv',
		what: 'numbers that WhatsApp knows under another one',
		table: 'whatsapp_ids',
		key: 'number',
		columns: { number: 'number', whatsappId: 'wa_id' },
	},
	{
		path: 'former-ids.csv',
		what: 'numbers and ids of people before a change, and those they have since',
		table: 'former_ids',
		key: 'id',
		columns: { id: 'id', nowId: 'now_id', changedAt: 'changed_at' },
	},
	{
		path: 'templates.json',
		what: 'templates with their texts and buttons',
		table: 'templates',
		key: 'id',
		columns: {
			name: 'name',
			language: 'language',
			category: 'category',
			status: 'status',
			components: 'components',
			headerFile: 'header_file',
			cardFiles: 'card_files',
			createdAt: 'created_at',
		},
	},
	{
		path: 'campaigns.csv',
		what: 'campaigns, tests and templates from chats, with their totals; each one’s recipients are under campaigns/',
		table: 'campaigns',
		key: 'id',
		columns: {
			id: 'id',
			kind: 'kind',
			name: 'name',
			description: 'description',
			status: 'status',
			reason: 'status_reason',
			template: `template ->> 'name'`,
			language: `template ->> 'language'`,
			category: `template ->> 'category'`,
			components: `template -> 'components'`,
			variables: 'variables',
			audience: 'audience_name',
			pricePaise: 'price_paise',
			total: 'total_count',
			pending: 'pending_count',
			sent: 'sent_count',
			delivered: 'delivered_count',
			read: 'read_count',
			failed: 'failed_count',
			replied: 'replied_count',
			quoted: 'quoted_count',
			clicked: 'clicked_count',
			clicks: 'click_count',
			leftOut: 'capped_count',
			heldOut: 'held_out',
			createdAt: 'created_at',
			startedAt: 'started_at',
			finishedAt: 'finished_at',
		},
	},
	{
		path: 'chats.csv',
		what: 'chats; their messages are in chat-messages.csv',
		table: 'chats',
		key: 'key',
		columns: { number: 'key', name: 'profile_name', lastMessage: 'last_line', lastAt: 'last_at', unread: 'unread' },
	},
	{
		path: 'notes.csv',
		what: 'notes about customers, by number',
		table: 'customer_notes',
		key: 'id',
		columns: { number: 'customer', text: 'text', createdAt: 'created_at' },
	},
	{
		path: 'header-files.csv',
		what: 'files that are sent to one person each, until they are deleted',
		table: 'header_files',
		key: 'id',
		columns: { set: 'set_id', name: 'name', number: 'number', file: 'file_key', bytes: 'bytes' },
	},
	{
		path: 'receipts.csv',
		what: 'receipts of recharges; their amounts are in statement.csv',
		table: 'receipts',
		key: 'entry_id',
		columns: {
			number: 'number',
			payerName: 'payer_name',
			payerEmail: 'payer_email',
			payerBusinessName: 'payer_business_name',
			payerBusinessAddress: 'payer_business_address',
			payerGstin: 'payer_gstin',
			issuerName: 'issuer_name',
			issuerAddress: 'issuer_address',
			issuerGstin: 'issuer_gstin',
			paymentMethod: 'payment_method',
			paymentId: 'payment_id',
			invoiceSeries: 'invoice_series',
			invoiceNumber: 'invoice_number',
			payerState: 'payer_state',
			placeOfSupply: 'place_of_supply',
			sac: 'sac',
			gstPercent: 'gst_percent',
			cgstPaise: 'cgst_paise',
			sgstPaise: 'sgst_paise',
			igstPaise: 'igst_paise',
		},
	},
	{
		path: 'tax-notes.csv',
		what: 'credit and debit notes of tax invoices, which are in receipts.csv',
		table: 'tax_notes',
		key: 'id',
		columns: {
			kind: 'kind',
			series: 'series',
			number: 'number',
			reason: 'reason',
			taxablePaise: 'taxable_paise',
			cgstPaise: 'cgst_paise',
			sgstPaise: 'sgst_paise',
			igstPaise: 'igst_paise',
			roundingPaise: 'rounding_paise',
			createdAt: 'created_at',
		},
	},
	{
		path: 'payments.csv',
		what: 'online payments',
		table: 'payments',
		key: 'id',
		columns: {
			reference: 'reference',
			state: 'state',
			creditPaise: 'credit_paise',
			cgstPaise: 'cgst_paise',
			sgstPaise: 'sgst_paise',
			igstPaise: 'igst_paise',
			refundedPaise: 'refunded_paise',
			method: 'method',
			paymentId: 'provider_payment_id',
			createdAt: 'created_at',
			paidAt: 'paid_at',
		},
	},
	{
		path: 'notifications.csv',
		what: 'what the bell showed',
		table: 'notifications',
		key: 'id',
		columns: { text: 'text', createdAt: 'created_at', readAt: 'read_at' },
	},
	{
		path: 'sign-ins.csv',
		what: 'who signed in, or tried to',
		table: 'sign_ins',
		key: 'id',
		columns: { at: 'signed_in_at', outcome: 'outcome', device: 'user_agent', address: 'host(ip)' },
	},
	{
		path: 'privacy-requests.csv',
		what: 'downloads and erasures of one person’s data',
		table: 'privacy_requests',
		key: 'id',
		columns: { kind: 'kind', reference: 'number_hash', counts: 'counts', requestedAt: 'requested_at' },
	},
]

/** Campaigns whose recipients are still stored, except templates sent in chats. */
export const REPORTED: AccountList = {
	table: 'campaigns',
	key: 'id',
	columns: { hasControlGroup: 'held_out is not null' },
	where: `kind <> 'chat' and messages_removed_at is null`,
}

/** A campaign's control group. */
export const CONTROL_GROUP: AccountList = { table: 'campaign_held_out', key: 'number', columns: { number: 'number' } }
