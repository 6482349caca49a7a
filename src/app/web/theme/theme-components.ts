import type {
	ActionIconProps,
	ButtonProps,
	DrawerProps,
	MantineThemeComponents,
	MenuProps,
	ModalProps,
	NotificationProps,
	NumberInputProps,
	PopoverProps,
	SelectProps,
	SkeletonProps,
	TextareaProps,
	TextInputProps,
} from '@mantine/core'

const OVERLAY = { duration: 180, transition: 'fade' } as const
const presentation: Partial<DrawerProps & ModalProps> = {
	attributes: { header: { role: 'presentation' } },
	classNames: { title: 'heading' },
}
// Label above the input, description below it, error last.
const input: Partial<TextInputProps> = { inputWrapperOrder: ['label', 'input', 'description', 'error'] }

// Imports only the component types, since their code belongs to the screens that use them.
function set<Props>(defaultProps: Partial<Props>) {
	return { defaultProps }
}

/** Default props of Mantine's components. */
export const components: MantineThemeComponents = {
	ActionIcon: set<ActionIconProps>({ variant: 'subtle', size: 36 }),
	Button: set<ButtonProps>({ size: 'sm' }),
	Checkbox: set({ size: 'sm' }),
	Drawer: set<DrawerProps>({
		...presentation,
		closeButtonProps: { 'aria-label': 'Close' },
		transitionProps: { duration: 220, timingFunction: 'ease-out' },
	}),
	MultiSelect: set(input),
	// Mantine's placeholder is a focusable element without a role, which a menu must not contain.
	Menu: set<MenuProps>({
		withInitialFocusPlaceholder: false,
		shadow: 'md',
		transitionProps: OVERLAY,
		position: 'bottom-end',
	}),
	Modal: {
		...set<ModalProps>({
			...presentation,
			closeButtonProps: { 'aria-label': 'Close' },
			transitionProps: OVERLAY,
			radius: 'lg',
			padding: 20,
			centered: true,
			// The second click of a double click must not close the dialog that the first opened.
			overlayProps: { onClickCapture: (event) => event.detail > 1 && event.stopPropagation() },
		}),
		// A dialog that fades out takes no clicks: the second of a double click would repeat the action.
		styles: (_: unknown, { opened }: ModalProps) => ({ content: opened ? {} : { pointerEvents: 'none' as const } }),
	},
	Notification: set<NotificationProps>({ closeButtonProps: { 'aria-label': 'Dismiss' } }),
	// Number fields have no step buttons: steps of one are useless in a typed field, and the buttons are too small for touch.
	NumberInput: set<NumberInputProps>({ ...input, hideControls: true } as Partial<NumberInputProps>),
	PasswordInput: set(input),
	Popover: set<PopoverProps>({ shadow: 'md', transitionProps: OVERLAY }),
	RadioGroup: set(input),
	Select: set<SelectProps>({
		...(input as Partial<SelectProps>),
		checkIconPosition: 'right',
		// Enter after a search selects the first option. Without options it must not submit the form around the list.
		selectFirstOptionOnChange: true,
		onKeyDown: (event) => {
			if (event.key === 'Enter' && event.currentTarget.ariaExpanded === 'true') event.preventDefault()
		},
	}),
	Skeleton: set<SkeletonProps>({ radius: 'sm' }),
	TagsInput: set(input),
	TextInput: set(input),
	Textarea: set<TextareaProps>({ ...(input as Partial<TextareaProps>), autosize: true, minRows: 3 }),
}
