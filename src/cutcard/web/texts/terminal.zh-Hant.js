// @ts-check
/** Words of a terminal of an electronic table. */
export const words = {
  "terminal": "終端",
  "stack": "餘額",
  "terminal.nowhere": "此終端不在這張賭枱。請呼叫服務員。",
  "terminal.locked": "{number} 號終端已鎖定：{reason}",
  "terminal.calling": "服務員正在趕來。",
  "terminal.call": "呼叫服務員",
  "terminal.number": "{number} 號終端",
  "terminal.voucher": "票券",
  "terminal.cash_out": "兌出 {amount}",
  "terminal.print": "列印",
  "terminal.taken": "已取走",
  "terminal.account": "您的賬戶",
  "terminal.account.text": "登入後可在賬戶與此終端之間轉移餘額。關閉此視窗即自動登出。",
  "terminal.load": "轉入終端",
  "terminal.unload": "轉入我的賬戶",
  "terminal.unload.all": "全部餘額轉入我的賬戶",
};
