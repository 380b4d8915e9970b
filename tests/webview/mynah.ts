/** A page with the real MynahUI and one card of ours; what is answered is kept for the test. */

import { MynahUI } from "@aws/mynah-ui";
import { mynahAnswer, mynahCardOf } from "../../client-ts/src/webview/mynah/card";
import type { ApprovalRequest, ApprovalResponse } from "../../client-ts/src/shared/protocol";

declare global {
  interface Window {
    answers: (ApprovalResponse | null)[];
    show: (ticket: ApprovalRequest) => void;
  }
}

window.answers = [];
window.show = (ticket) => {
  const ui = new MynahUI({
    tabs: { "tab-1": { isSelected: true, store: { tabTitle: "Chat" } } },
    onInBodyButtonClicked: (_tab, messageId, { id }) => {
      window.answers.push(mynahAnswer(ticket, messageId, id, 700));
    },
  });
  ui.addChatItem("tab-1", mynahCardOf(ticket) as never);
};
