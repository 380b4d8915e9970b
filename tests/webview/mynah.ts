/** A page with the real MynahUI and our packaged cards; what is answered is kept for the test. */

import { MynahUI } from "@aws/mynah-ui";
import { MynahCards, type ApprovalRequest, type ApprovalResponse, type ApprovalSettled } from "assent-mynah";

declare global {
  interface Window {
    answers: ApprovalResponse[];
    show: (ticket: ApprovalRequest) => void;
    settle: (settled: ApprovalSettled) => void;
  }
}

const ui = new MynahUI({
  tabs: { "tab-1": { isSelected: true, store: { tabTitle: "Chat" } } },
  onInBodyButtonClicked: (_tab, messageId, { id }) => void cards.press(messageId, id),
});
const cards = new MynahCards(ui as never, (response) => void window.answers.push(response));

window.answers = [];
window.show = (ticket) => cards.show("tab-1", ticket);
window.settle = (settled) => cards.settle(settled);
