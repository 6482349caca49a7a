import * as z from 'zod'

/**
 * Oracles of the bodies that the product sends to Meta for templates and for template messages, written from Meta's
 * documentation and not from the product.
 */

const Text = z.string().min(1)
const Example = (key: string, shape: z.ZodType) => z.strictObject({ [key]: shape }).optional()

const CreateButton = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('QUICK_REPLY'), text: Text.max(25) }),
	z.strictObject({
		type: z.literal('URL'),
		text: Text.max(25),
		url: z.string().regex(/^https?:\/\//),
		example: z.tuple([z.string()]).optional(),
	}),
	z.strictObject({ type: z.literal('PHONE_NUMBER'), text: Text.max(25), phone_number: z.string().regex(/^\+\d+$/) }),
	z.strictObject({ type: z.literal('COPY_CODE'), example: Text.max(15) }),
])

const CreateBody = (max: number) =>
	z.strictObject({
		type: z.literal('BODY'),
		text: Text.max(max),
		example: Example('body_text', z.tuple([z.array(Text)])),
	})
const CreateMedia = (formats: readonly ['IMAGE', 'VIDEO']) =>
	z.strictObject({
		type: z.literal('HEADER'),
		format: z.enum(formats),
		example: z.strictObject({ header_handle: z.tuple([z.string().regex(/^\d+:/)]) }),
	})
const Media = CreateMedia(['IMAGE', 'VIDEO'])

const CardButtons = z.strictObject({ type: z.literal('BUTTONS'), buttons: z.array(CreateButton).min(1).max(2) })
const CreateCard = z.strictObject({
	components: z.union([z.tuple([Media, CreateBody(160), CardButtons]), z.tuple([Media, CardButtons])]),
})
const head = { name: z.string(), language: z.string() }

export const CreateCarousel = z.strictObject({
	...head,
	category: z.literal('MARKETING'),
	components: z.tuple([
		CreateBody(1024),
		z.strictObject({ type: z.literal('CAROUSEL'), cards: z.array(CreateCard).min(2).max(10) }),
	]),
})

const OfferBox = z.strictObject({
	type: z.literal('LIMITED_TIME_OFFER'),
	limited_time_offer: z.strictObject({ text: Text.max(16), has_expiration: z.literal(true) }),
})
const OfferButtons = z.strictObject({
	type: z.literal('BUTTONS'),
	buttons: z.tuple([CreateButton.options[3], CreateButton.options[1]]),
})
export const CreateOffer = z.strictObject({
	...head,
	category: z.literal('MARKETING'),
	components: z.union([
		z.tuple([Media, OfferBox, CreateBody(600), OfferButtons]),
		z.tuple([OfferBox, CreateBody(600), OfferButtons]),
	]),
})

export const CreateLocation = z.strictObject({
	...head,
	category: z.enum(['UTILITY', 'MARKETING']),
	components: z
		.tuple([z.strictObject({ type: z.literal('HEADER'), format: z.literal('LOCATION') }), CreateBody(1024)])
		.rest(z.strictObject({ type: z.literal('BUTTONS'), buttons: z.array(CreateButton) })),
})

/** A parameter's text: no line break, no tab, no run of five spaces, not empty. */
const Parameter = Text.refine((text) => !/[\n\r\t]| {5}/.test(text) && text.trim() !== '')
const TextParameters = z.array(z.strictObject({ type: z.literal('text'), text: Parameter })).min(1)
const BodyPart = z.strictObject({ type: z.literal('body'), parameters: TextParameters })
const MediaPart = z.strictObject({
	type: z.literal('header'),
	parameters: z.tuple([
		z.union([
			z.strictObject({ type: z.literal('image'), image: z.strictObject({ id: z.string() }) }),
			z.strictObject({ type: z.literal('video'), video: z.strictObject({ id: z.string() }) }),
		]),
	]),
})
const DocumentPart = z.strictObject({
	type: z.literal('header'),
	parameters: z.tuple([
		z.strictObject({
			type: z.literal('document'),
			document: z.strictObject({ id: z.string(), filename: Text.max(240).refine((name) => !/[\n\r\t/\\]/.test(name)) }),
		}),
	]),
})
const LocationPart = z.strictObject({
	type: z.literal('header'),
	parameters: z.tuple([
		z.strictObject({
			type: z.literal('location'),
			location: z.strictObject({ latitude: Parameter, longitude: Parameter, name: Parameter, address: Parameter }),
		}),
	]),
})
const at = { type: z.literal('button'), index: z.string().regex(/^\d$/) }
const UrlPart = z.strictObject({
	...at,
	sub_type: z.literal('url'),
	parameters: z.tuple([z.strictObject({ type: z.literal('text'), text: Parameter })]),
})
const CodePart = (max: number) =>
	z.strictObject({
		...at,
		sub_type: z.literal('copy_code'),
		parameters: z.tuple([z.strictObject({ type: z.literal('coupon_code'), coupon_code: Parameter.max(max) })]),
	})
const OfferPart = z.strictObject({
	type: z.literal('limited_time_offer'),
	parameters: z.tuple([
		z.strictObject({
			type: z.literal('limited_time_offer'),
			limited_time_offer: z.strictObject({ expiration_time_ms: z.int().min(1_700_000_000_000) }),
		}),
	]),
})

const CarouselPart = z
	.strictObject({
		type: z.literal('carousel'),
		cards: z
			.array(
				z.strictObject({
					card_index: z.int(),
					components: z.tuple([MediaPart]).rest(z.union([BodyPart, UrlPart])),
				}),
			)
			.min(2)
			.max(10),
	})
	.refine(({ cards }) => cards.every(({ card_index }, index) => card_index === index))

/** Returns the oracle of a whole send body whose template has these components. */
function sendOf<Shape extends z.ZodType>(components: Shape) {
	return z.strictObject({
		messaging_product: z.literal('whatsapp'),
		recipient_type: z.literal('individual'),
		to: z.string().regex(/^\+\d+$/),
		type: z.literal('template'),
		template: z.strictObject({
			name: z.string(),
			language: z.strictObject({ code: z.string(), policy: z.literal('deterministic') }),
			components,
		}),
		biz_opaque_callback_data: z.string().max(512),
		message_activity_sharing: z.boolean().optional(),
	})
}

export const SendCarousel = sendOf(z.union([z.tuple([BodyPart, CarouselPart]), z.tuple([CarouselPart])]))
export const SendOffer = sendOf(
	z.union([
		z.tuple([MediaPart, OfferPart]).rest(z.union([BodyPart, CodePart(15), UrlPart])),
		z.tuple([OfferPart]).rest(z.union([BodyPart, CodePart(15), UrlPart])),
	]),
)
export const SendCoupon = sendOf(z.array(z.union([BodyPart, CodePart(20), UrlPart])).min(1))
export const SendDocument = sendOf(z.tuple([DocumentPart]).rest(z.union([BodyPart, UrlPart])))
export const SendLocation = sendOf(z.tuple([LocationPart]).rest(z.union([BodyPart, UrlPart])))
