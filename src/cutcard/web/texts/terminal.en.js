// @ts-check
/** Words of a terminal of an electronic table. */
export const words = {
  "terminal": "Terminal",
  "stack": "Credit",
  "terminal.nowhere": "This terminal does not stand at this table. Please call an attendant.",
  "terminal.locked": "Terminal {number} is locked: {reason}",
  "terminal.calling": "An attendant is on the way.",
  "terminal.call": "Call an attendant",
  "terminal.number": "Terminal {number}",
  "terminal.voucher": "Voucher",
  "terminal.cash_out": "Cash out {amount}",
  "terminal.print": "Print",
  "terminal.taken": "I have it",
  "terminal.account": "Your account",
  "terminal.account.text": "Sign in to move credit between your account and this terminal. You are signed out when you close this window.",
  "terminal.load": "Onto the terminal",
  "terminal.unload": "To my account",
  "terminal.unload.all": "All credit to my account",
};
