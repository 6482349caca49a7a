-- Finds the reactions, edits and revocations of a chat, which follow when its customer changes the number or is erased.
create index chat_marks_chat on chat_marks (account_id, chat);
