import type { PaymentTranslations } from './payment-translations-shape.ts'

export const ja: PaymentTranslations = {
  sandbox_band: 'サンドボックス：実際のお金は動きません',
  payments_by: 'Florin による決済',
  language: '言語',
  error: 'エラー',
  title: (amount, account) => `${account} に ${amount} を支払う`,

  payment_requested: 'お支払いのご依頼',
  amount_paid: 'お支払い金額',
  reference: '参照番号',
  customer: '宛先',
  pay_by: 'お支払い期限',

  pay_by_card: 'カードで支払う',
  card_number: 'カード番号',
  expires: '有効期限',
  expires_hint: '月 / 年',
  security_code: 'セキュリティコード',
  security_code_hint: '3 桁または 4 桁',
  pay: (amount) => `${amount} を支払う`,
  paying: '処理しています…',
  trust: (account) =>
    `お支払い先は ${account} です。カード番号がお支払い先に渡ることはありません。`,

  test_cards: 'テストカード',
  test_cards_hint: 'タップするだけで使えます。ほかのカードは使えません。',
  outcomes: { paid: '支払い成功', declined: '拒否', insufficient_funds: '残高不足' },

  errors: {
    declined: ['カードが拒否されました。', '請求は発生していません。別のカードでお試しください。'],
    insufficient_funds: [
      'カードの残高が不足しています。',
      '請求は発生していません。別のカードでお試しください。',
    ],
    card_refused: [
      'これはテストカードではありません。',
      '請求は発生せず、番号も保存していません。下のテストカードをお使いください。',
    ],
    too_many: [
      '試行回数が多すぎます。',
      '請求は発生していません。1 分ほど待ってからお試しください。',
    ],
    form_expired: [
      'フォームの有効時間が過ぎました。',
      '請求は発生していません。カード情報をもう一度入力してください。',
    ],
    cross_site: [
      'このフォームは別のサイトから送信されました。',
      '請求は発生していません。お支払いはこのページで入力してください。',
    ],
  },
  offline: ['オフラインです。', '何も送信していません。接続が回復してからお支払いください。'],
  faults: {
    number: {
      missing: 'カード番号を入力してください。',
      malformed: 'カード番号をご確認ください。12～19 桁の数字です。',
    },
    expires: {
      missing: '月と年を入力してください。',
      malformed: '04 / 29 のように月と年を入力してください。',
      past: 'このカードは有効期限が切れています。別のカードをお使いください。',
    },
    csc: {
      missing: 'セキュリティコードを入力してください。',
      malformed: 'カードに記載の 3 桁または 4 桁の数字を入力してください。',
    },
  },

  manual: {
    heading: 'お支払い方法',
    ask: (account) => `お支払い方法は ${account} にお問い合わせください。`,
    code_label: '振込の際にこのコードをご記入ください',
    copy: 'コードをコピー',
    copied: 'コピーしました',
    note: (account) => `${account} で入金を確認すると、このページに表示されます。`,
  },
  processing: {
    heading: 'お支払いを処理しています',
    text: '数秒かかります。ページは自動的に切り替わります。二重に請求されることはありません。',
  },
  paid: {
    heading: 'お支払いが完了しました',
    text: (account) => `${account} がお支払いを受け取りました。`,
  },
  already_paid: {
    heading: 'お支払い済みです',
    text: 'このご依頼は別のタブなどですでに支払われています。二重の請求は発生していません。',
  },
  refunded: {
    heading: '返金されました',
    text: (account) => `${account} がお支払いの全額を返金しました。`,
  },
  partly_refunded: {
    heading: '一部が返金されました',
    text: (account, amount, paid) => `${account} が ${paid} のうち ${amount} を返金しました。`,
  },
  receipt: {
    paid_to: 'お支払い先',
    paid_at: 'お支払い日時',
    refunded_amount: '返金額',
    part: (amount, paid) => `${paid} のうち ${amount}`,
    refunded_at: '返金日時',
    number: '領収番号',
    print: '領収書を印刷',
  },
  failed: {
    heading: 'このご依頼は終了しました',
    declined: (account) =>
      'カードが 10 回拒否されました。請求は発生していません。' +
      `${account} に新しいご依頼をお求めください。`,
    text: (account) =>
      'お支払いいただけなくなりました。請求は発生していません。' +
      `${account} に新しいご依頼をお求めください。`,
    by_transfer: (account) =>
      'お支払いいただけなくなりました。すでに送金された場合は、' +
      `${account} にお問い合わせください。まだの場合は、新しいご依頼をお求めください。`,
  },
  canceled: {
    heading: 'このご依頼は取り消されました',
    text: (account) =>
      `お支払いの必要はありません。ご不明な点は ${account} にお問い合わせください。`,
  },
  expired: {
    heading: 'お支払い期限が過ぎました',
    text: (date, account) =>
      `期限は ${date} でした。請求は発生していません。` +
      `${account} に新しいご依頼をお求めください。`,
    by_transfer: (date, account) =>
      `期限は ${date} でした。すでに送金された場合は、` +
      `${account} にお問い合わせください。まだの場合は、新しいご依頼をお求めください。`,
  },
  unavailable: {
    heading: '現在お支払いいただけません',
    text: (account) =>
      `${account} は現在お支払いを受け付けていません。請求は発生していません。` +
      '時間をおいてお試しください。',
    by_transfer: (account) =>
      `${account} は現在お支払いを受け付けていません。今は送金しないでください。` +
      '時間をおいてお試しください。',
  },
  not_found: {
    heading: 'お支払いが見つかりません',
    text:
      'アドレスの一部が欠けていないかご確認ください。' +
      'または、メールのリンクをもう一度開いてください。',
  },
  away: {
    heading: 'ページを一時的に表示できません',
    text:
      '1 分ほどしてからお試しください。お支払い済みの場合はその旨を表示します。' +
      '二重に請求されることはありません。',
    again: 'もう一度試す',
  },
}
