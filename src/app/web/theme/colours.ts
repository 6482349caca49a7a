/**
 * The product's colours. This file does not import React, so that a unit test can check the contrast of text on each
 * background.
 */

export const green = [
	'#E8F6EF',
	'#CFEBDD',
	'#A3D9BF',
	'#70C39D',
	'#43AB7D',
	'#259566',
	'#0E8257',
	'#0A6E4A',
	'#075A3D',
	'#044530',
] as const

export const marigold = [
	'#FFF8EA',
	'#FFF1D6',
	'#FFE3B0',
	'#FFD58A',
	'#FBBE56',
	'#F7A823',
	'#D88A12',
	'#B96F05',
	'#925704',
	'#6B4002',
] as const

export const red = [
	'#FDECEA',
	'#FBD5D2',
	'#FFB4AB',
	'#FF9A92',
	'#F0736B',
	'#D1403A',
	'#C4302B',
	'#C4302B',
	'#A82622',
	'#8C1D18',
] as const

/** Light surfaces, borders and texts; index 4 is an input's border, 7 the secondary text. */
export const gray = [
	'#F4F7F5',
	'#EDF2EF',
	'#E3EAE6',
	'#DCE5E0',
	'#82938A',
	'#74857C',
	'#66756D',
	'#4F5F57',
	'#2C3A33',
	'#13201A',
] as const

/** Dark colours, from text to canvas. */
export const dark = [
	'#E7F0EB',
	'#C6D3CC',
	'#A2B4AA',
	'#8B9E94',
	'#2A3932',
	'#26332D',
	'#18221D',
	'#131C18',
	'#0C1310',
	'#070B09',
] as const

const light = {
	canvas: '#F4F7F5',
	surface: '#FFFFFF',
	raised: '#EDF2EF',
	hover: '#F4F7F5',
	text: '#13201A',
	secondary: '#4F5F57',
	placeholder: '#66756D',
	hairline: '#DCE5E0',
	'input-border': '#82938A',
	primary: '#0A6E4A',
	'primary-hover': '#075A3D',
	link: '#0A6E4A',
	'nav-text': '#075A3D',
	'nav-fill': '#E8F6EF',
	focus: '#0E8257',
	danger: '#C4302B',
	'danger-text': '#B3261E',
	'ok-text': '#075A3D',
	'ok-fill': '#DDF3E7',
	'warn-text': '#6B4002',
	'warn-fill': '#FFF1D6',
	'error-text': '#8C1D18',
	'error-fill': '#FDECEA',
	'info-text': '#134A94',
	'info-fill': '#E4EFFD',
	'neutral-text': '#3F4D46',
	'neutral-fill': '#EAEFEC',
	'chart-sent': '#7A8B82',
	'chart-delivered': '#0E8257',
	'chart-read': '#2A78DD',
	'chart-failed': '#D1403A',
	'chart-pending': '#B96F05',
	'chat-canvas': '#E9F0EC',
	'chat-incoming': '#FFFFFF',
	'chat-outgoing': '#D6F3E3',
	'chat-time': '#4B5C53',
	tick: '#5F7168',
	'tick-read': '#0F6FCF',
}

export type Token = keyof typeof light

const darkTokens: Record<Token, string> = {
	canvas: '#0C1310',
	surface: '#131C18',
	raised: '#18221D',
	hover: '#1A2621',
	text: '#E7F0EB',
	secondary: '#A2B4AA',
	placeholder: '#8B9E94',
	hairline: '#2A3932',
	'input-border': '#667D72',
	primary: '#0E8257',
	'primary-hover': '#0A6E4A',
	link: '#70C39D',
	'nav-text': '#A3D9BF',
	'nav-fill': '#143526',
	focus: '#70C39D',
	danger: '#C4302B',
	'danger-text': '#FF9A92',
	'ok-text': '#8FE0B8',
	'ok-fill': '#12382A',
	'warn-text': '#FFD58A',
	'warn-fill': '#3F2A06',
	'error-text': '#FFB4AB',
	'error-fill': '#4A1512',
	'info-text': '#A9CDFF',
	'info-fill': '#10305C',
	'neutral-text': '#C6D3CC',
	'neutral-fill': '#26332D',
	'chart-sent': '#8FA198',
	'chart-delivered': '#2FA876',
	'chart-read': '#5C9DF2',
	'chart-failed': '#F0736B',
	'chart-pending': '#F7A823',
	'chat-canvas': '#0A110E',
	'chat-incoming': '#1A2621',
	'chat-outgoing': '#0B4A34',
	'chat-time': '#A9CDBB',
	tick: '#A9CDBB',
	'tick-read': '#7CC0FF',
}

export const tokens = { light, dark: darkTokens }
