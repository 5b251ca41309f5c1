// @ts-check
/** Words of a terminal of an electronic table. */
export const words = {
  "terminal": "终端",
  "stack": "余额",
  "terminal.nowhere": "此终端不在这张赌台。请呼叫服务员。",
  "terminal.locked": "{number} 号终端已锁定：{reason}",
  "terminal.calling": "服务员正在赶来。",
  "terminal.call": "呼叫服务员",
  "terminal.number": "{number} 号终端",
  "terminal.voucher": "票券",
  "terminal.cash_out": "兑出 {amount}",
  "terminal.print": "打印",
  "terminal.taken": "已取走",
  "terminal.account": "您的账户",
  "terminal.account.text": "登录后可在账户与此终端之间转移余额。关闭此窗口即自动登出。",
  "terminal.load": "转入终端",
  "terminal.unload": "转入我的账户",
  "terminal.unload.all": "全部余额转入我的账户",
};
