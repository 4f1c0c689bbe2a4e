import { emails } from './emails/ja.ts'
import type { Translations } from './translations.ts'

const labels: Translations['labels'] = {
  sandbox: 'サンドボックス：実際のお金は動きません',
  to: 'お支払い先',
  reference: '参照番号',
  pay_by: 'お支払い期限',
  until: 'リンクの有効期限',
  paid_at: 'お支払い日時',
  transaction: '取引 ID',
  from: '返金元',
  paid: '元のお支払い額',
  refunded_at: '返金日時',
  account: 'アカウント',
  new_email: '新しいアドレス',
  changed_at: '変更日時',
  holder: '口座名義',
  endpoint: 'エンドポイント',
  endpoint_id: 'エンドポイント ID',
  respond_by: '回答期限',
  payments: '支払い件数',
  volume: '受取額',
  refunds: '返金',
  fees: '手数料',
  failed: '失敗',
  open: '未払いの請求',
  logged_in_at: 'ログイン日時',
  address: 'IP アドレス',
  client: '端末',
  dispute: '異議申し立て ID',
  message: 'メッセージ',
}

const payment_page: Translations['payment_page'] = {
  payments_by: '決済：Florin',
  language: '言語',
  error: 'エラー',
  title: (amount, account) => `${account} に ${amount} を支払う`,

  payment_requested: 'お支払いのご依頼',
  amount_paid: 'お支払い金額',
  customer: '宛先',
  contact: 'このお支払いに関するお問い合わせ：',
  terms: '利用規約',
  statement_name: '明細書の表示名',
  back: (account) => `${account} に戻る`,

  pay_by_card: 'カードで支払う',
  card_number: 'カード番号',
  expires: '有効期限',
  expires_hint: '月 / 年',
  security_code: 'セキュリティコード',
  security_code_hint: '3 桁または 4 桁',
  pay: (amount) => `${amount} を支払う`,
  paying: '処理中…',
  trust: (account) =>
    `お支払い先は ${account} です。カード番号がお支払い先に開示されることはありません。`,

  test_cards: 'テストカード',
  test_cards_hint:
    'カードをタップすると使用できます。サンドボックスではほかのカードはご利用いただけません。',
  outcomes: {
    paid: '成功',
    needs_confirmation: '3D セキュア',
    disputed: '支払い後に異議申し立て',
    declined: '拒否',
    insufficient_funds: '残高不足',
    processing_error: '処理エラー',
  },

  errors: {
    declined: ['カードが拒否されました。', '請求は発生していません。別のカードをお試しください。'],
    insufficient_funds: [
      'カードの残高が不足しています。',
      '請求は発生していません。別のカードをお試しください。',
    ],
    processing_error: [
      'カードを処理できませんでした。',
      '請求は発生していません。1 分ほど待ってからもう一度お試しいただくか、別のカードをご利用ください。',
    ],
    authentication_failed: [
      'お支払いが承認されませんでした。',
      '請求は発生していません。もう一度お試しいただくか、別のカードをご利用ください。',
    ],
    card_refused: [
      'これはテストカードではありません。',
      '請求は発生しておらず、番号も保存されていません。下のテストカードをご利用ください。',
    ],
    too_many: [
      '試行回数が多すぎます。',
      '請求は発生していません。1 分ほど待ってから、もう一度お試しください。',
    ],
    form_expired: [
      'フォームの有効期限が切れました。',
      '請求は発生していません。カード情報をもう一度入力してください。',
    ],
    cross_site: [
      'このフォームは別のサイトから送信されました。',
      '請求は発生していません。お支払いになるには、ここでカード情報を入力してください。',
    ],
  },
  offline: ['オフラインです。', '何も送信されていません。接続が回復してからお支払いください。'],
  faults: {
    number: {
      missing: 'カード番号を入力してください。',
      malformed: 'カード番号をご確認ください。12～19 桁の数字です。',
    },
    expires: {
      missing: '有効期限を入力してください。',
      malformed: '04 / 29 のように月と年を入力してください。',
      past: 'このカードは有効期限が切れています。別のカードをご利用ください。',
    },
    csc: {
      missing: 'セキュリティコードを入力してください。',
      malformed: 'カードに記載された 3 桁または 4 桁の数字を入力してください。',
    },
  },

  checkout: {
    heading: '安全なオンライン決済',
    pay_with: {
      stripe: 'カードで支払う（Stripe）',
      mollie: '銀行・カード・ウォレットで支払う（Mollie）',
    },
    opening: '開いています…',
    trust: (account) =>
      '決済代行会社の安全なページでお支払いいただきます。' +
      `カード番号が ${account} に開示されることはありません。`,
    or_transfer: 'または銀行振込で支払う',
    errors: {
      unavailable: [
        '決済ページを開けませんでした。',
        '請求は発生していません。1 分ほど待ってから、もう一度お試しください。',
      ],
      rejected: [
        '決済代行会社がこのお支払いを受け付けませんでした。',
        '請求は発生していません。別のお支払い方法をお試しいただくか、お支払い先にお問い合わせください。',
      ],
      form_expired: [
        'フォームの有効期限が切れました。',
        '請求は発生していません。お支払い方法をもう一度選択してください。',
      ],
      cross_site: [
        'このフォームは別のサイトから送信されました。',
        '請求は発生していません。お支払いになるには、下のボタンをご利用ください。',
      ],
    },
  },
  confirm: {
    heading: 'お支払いをご確認ください',
    text: (amount, account) =>
      `${account} への ${amount} のお支払いについて、カード発行会社が確認を求めています。`,
    confirm: '支払いを承認する',
    reject: '支払いを拒否する',
    note: 'サンドボックスでは、Florin がカード発行会社の代わりをします。結果をお選びください。',
  },
  manual: {
    heading: 'お支払い方法',
    ask: (account) => `お支払い方法については ${account} にお問い合わせください。`,
    code_label: 'お振込の際は、このコードをご記入ください',
    copy: 'コードをコピー',
    copied: 'コピーしました',
    note: (account) => `${account} が入金を確認すると、このページが更新されます。`,
  },
  transfer: {
    lead: 'この金額を正確にお振り込みのうえ、振込コードをご記入ください。入金の照合に使用します。',
    recipient: '受取人',
    amount: '金額',
    code: '振込コード',
    copy: 'コピー',
    qr_label: '振込情報の QR コード',
    scan: 'または、銀行のアプリでこのコードを読み取ると、振込情報が入力されます。',
  },
  processing: {
    heading: 'お支払いを処理しています',
    text: '数秒かかります。ページは自動的に更新されます。二重に請求されることはありません。',
  },
  paid: {
    heading: 'お支払いが完了しました',
    text: (account) => `${account} がお支払いを受け取りました。`,
  },
  already_paid: {
    heading: 'お支払い済みです',
    text:
      'このご依頼は、別のタブなどですでにお支払いいただいています。' +
      '再度請求されることはありません。',
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
    refunded_amount: '返金額',
    part: (amount, paid) => `${paid} のうち ${amount}`,
    download: '領収書をダウンロード（PDF）',
    download_credit_note: '返金明細書をダウンロード（PDF）',
    print: '領収書を印刷',
  },
  failed: {
    heading: 'このお支払い依頼は終了しました',
    declined: (account) =>
      'カードが 10 回拒否されました。請求は発生していません。' +
      `新しいお支払い依頼の発行を ${account} にお求めください。`,
    text: (account) =>
      'お支払いいただくことはできません。請求は発生していません。' +
      `新しいお支払い依頼の発行を ${account} にお求めください。`,
    by_transfer: (account) =>
      'お支払いいただくことはできません。すでに送金された場合は、' +
      `${account} にお問い合わせください。まだの場合は、新しいお支払い依頼の発行をお求めください。`,
  },
  canceled: {
    heading: 'このお支払い依頼は取り消されました',
    text: (account) =>
      `お支払いの必要はありません。ご不明な点は ${account} にお問い合わせください。`,
  },
  expired: {
    heading: 'このお支払い依頼は期限切れです',
    text: (date, account) =>
      `期限は ${date} でした。請求は発生していません。` +
      `新しいお支払い依頼の発行を ${account} にお求めください。`,
    by_transfer: (date, account) =>
      `期限は ${date} でした。すでに送金された場合は、` +
      `${account} にお問い合わせください。まだの場合は、新しいお支払い依頼の発行をお求めください。`,
  },
  unavailable: {
    heading: '現在お支払いいただけません',
    text: (account) =>
      `${account} は現在お支払いを受け付けることができません。請求は発生していません。` +
      '時間をおいてから、もう一度お試しください。',
    by_transfer: (account) =>
      `${account} は現在お支払いを受け付けることができません。送金しないでください。` +
      '時間をおいてから、もう一度お試しください。',
  },
  not_found: {
    heading: 'お支払いが見つかりません',
    text:
      'アドレスの一部が欠けていないかご確認ください。' +
      'または、受け取ったリンクをもう一度開いてください。',
  },
  away: {
    heading: 'このページは一時的にご利用いただけません',
    text:
      '1 分ほどしてから、もう一度お試しください。' +
      'お支払いになった直後の場合は、このページで確認できます。' +
      '二重に請求されることはありません。',
    again: 'もう一度試す',
  },
}

const link_page: Translations['link_page'] = {
  title: (account) => `${account} へのお支払い`,
  heading: 'お客様情報',
  email: 'メールアドレス',
  email_hint: '領収書の送付先です。',
  email_fault: 'メールアドレスを入力してください（例: ann@example.com）。',
  amount: '金額',
  amount_range: (min, max) => `${min} から ${max} まで。`,
  amount_fault: (min, max, example) =>
    `${min} から ${max} までの金額を入力してください（例: ${example}）。`,
  continue: 'お支払いに進む',
  errors: {
    form_expired: [
      'フォームの有効期限が切れました。',
      '請求は行われていません。内容を確認して続行してください。',
    ],
    cross_site: [
      'このフォームは別のサイトから送信されました。',
      '請求は行われていません。お支払いはこちらに入力してください。',
    ],
    too_many: [
      '試行回数が多すぎます。',
      '請求は行われていません。1 分待ってからもう一度お試しください。',
    ],
  },
  ended: {
    heading: 'この支払いリンクは終了しました',
    text: (account) => `請求は行われていません。${account} に新しいリンクをお問い合わせください。`,
  },
  used_up: {
    heading: '現在お支払いの空きがありません',
    text: (account) =>
      `他のお客様が ${account} への最後のお支払いを手続き中です。` +
      '請求は行われていません。1 時間後にもう一度お試しください。',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'メールアドレス',
  this_link: 'このリンク',
  link_lifetime: '24 時間以内に 1 回のみ有効です',

  confirm: {
    heading: '新しいメールアドレスをご確認ください',
    lead: (account) =>
      `このアドレスが ${account} の新しいメールアドレスとして登録申請されました。` +
      '確認されるまでは、これまでのアドレスが使用されます。',
    what: '確認後の変更点',
    steps: [
      [
        '新しいアドレスでログインします',
        'パスワードは変わりません。有効なセッションもログインしたままです。',
      ],
      ['これまでのアドレスに通知されます', 'そのアドレスではログインできなくなります。'],
    ],
    button: 'メールアドレスを確認する',
    safe: '心当たりがない場合は、このページを閉じてください。変更は行われません。',
  },
  next: '次の手順',
  confirmed: {
    heading: 'メールアドレスが変更されました',
    lead: (account) =>
      `今後はこのアドレスで ${account} にログインしてください。` +
      'このリンクは使用済みのため、無効になりました。',
    steps: [
      [
        '新しいアドレスでログインしてください',
        'パスワードは変わりません。有効なセッションもログインしたままです。',
      ],
      ['これまでのメールの受信トレイをご確認ください', '変更をお知らせするメールが届いています。'],
    ],
  },
  invalid: {
    heading: 'このリンクは無効です',
    lead:
      'すでに使用された、発行から 24 時間が経過した、新しいリンクが送信された、' +
      'またはその後パスワードが変更された可能性があります。',
    steps: [
      [
        'すでに確認がお済みの場合',
        'メールアドレスは変更されています。新しいアドレスでログインしてください。',
      ],
      [
        'まだ確認がお済みでない場合',
        'アカウントでは、これまでのアドレスが使用されています。もう一度変更を申請してください。',
      ],
    ],
  },
  taken: {
    heading: 'このメールアドレスはすでに使用されています',
    lead:
      '変更の申請後に、別のユーザーがこのアドレスで登録しました。' +
      '変更は行われていません。アカウントでは、これまでのアドレスが使用されています。',
    steps: [
      [
        'ご本人のユーザーの場合',
        'そのユーザーを削除してから、このリンクをもう一度開いてください。',
      ],
      ['ほかの方のユーザーの場合', '別のアドレスへの変更を申請してください。'],
    ],
  },
}

export const ja: Translations = {
  name: '日本語',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
