import {
	ActionIcon,
	Button,
	Checkbox,
	Drawer,
	Menu,
	Modal,
	Notification,
	NumberInput,
	PasswordInput,
	Popover,
	Select,
	Skeleton,
	Switch,
	Textarea,
	TextInput,
	Tooltip,
	type MantineThemeComponents,
} from '@mantine/core'

const overlay = { duration: 180, transition: 'fade' as const }
// Labels above, help under the input, the error under the help.
const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
const presentation = { attributes: { header: { role: 'presentation' } } }

/** How each of Mantine's components behaves here unless a screen says otherwise. */
export const components: MantineThemeComponents = {
	ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', size: 36 } }),
	Button: Button.extend({ defaultProps: { size: 'sm' } }),
	Checkbox: Checkbox.extend({ defaultProps: { size: 'sm' } }),
	Drawer: Drawer.extend({
		defaultProps: {
			...presentation,
			closeButtonProps: { 'aria-label': 'Close' },
			transitionProps: { duration: 220, timingFunction: 'ease-out' },
		},
	}),
	Menu: Menu.extend({
		defaultProps: {
			withInitialFocusPlaceholder: false,
			shadow: 'md',
			transitionProps: overlay,
			position: 'bottom-end',
		},
	}),
	Modal: Modal.extend({
		defaultProps: {
			...presentation,
			closeButtonProps: { 'aria-label': 'Close' },
			transitionProps: overlay,
			radius: 'lg',
			padding: 20,
			centered: true,
		},
	}),
	Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
	NumberInput: NumberInput.extend({ defaultProps: { inputWrapperOrder } }),
	PasswordInput: PasswordInput.extend({ defaultProps: { inputWrapperOrder } }),
	Popover: Popover.extend({ defaultProps: { shadow: 'md', transitionProps: overlay } }),
	Select: Select.extend({ defaultProps: { inputWrapperOrder, checkIconPosition: 'right' } }),
	Skeleton: Skeleton.extend({ defaultProps: { radius: 'sm' } }),
	Switch: Switch.extend({ defaultProps: { withThumbIndicator: false } }),
	TextInput: TextInput.extend({ defaultProps: { inputWrapperOrder } }),
	Textarea: Textarea.extend({ defaultProps: { inputWrapperOrder, autosize: true, minRows: 3 } }),
	Tooltip: Tooltip.extend({
		defaultProps: {
			openDelay: 300,
			transitionProps: { duration: 120 },
			events: { hover: true, focus: true, touch: false },
		},
	}),
}
