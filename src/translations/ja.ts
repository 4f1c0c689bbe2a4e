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
  endpoint: 'エンドポイント',
  endpoint_id: 'エンドポイント ID',
  respond_by: '回答期限',
  dispute: '異議申し立て ID',
}

const emails: Translations['emails'] = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} からのお支払い依頼：${amount}`,
    title: `${name} からお支払いのご依頼です`,
    lead: 'お支払いページで内容をご確認ください。確定されるまで引き落としは行われません。',
    lead_by_transfer: '内容とお支払い方法は、お支払いページでご確認いただけます。',
    button: `${amount} を支払う`,
    note:
      `${name} に心当たりがない場合は、このメールを破棄してください。` +
      '請求が発生することはありません。',
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `お支払いのリマインダー：${name} へ ${amount}`,
    title: `${name} へのお支払いがまだ完了していません`,
    lead: 'お支払い用リンクの有効期限は下記のとおりです。まだ引き落としは行われていません。',
    lead_by_transfer:
      'お支払い用リンクの有効期限は下記のとおりです。' +
      'お支払い方法は、お支払いページでご確認いただけます。',
    button: `${amount} を支払う`,
    note: 'すでにお支払い済みの場合は、このメールを破棄してください。',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `領収書：${name} へ ${amount}`,
    title: `${name} へのお支払いが完了しました`,
    lead: 'このメールが領収書です。お支払いページから印刷することもできます。',
    button: '領収書を表示',
    note:
      'このお支払いに心当たりがない場合は、' +
      `上記の取引 ID を添えて ${name} へお問い合わせください。`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `返金のお知らせ：${name} から ${amount}`,
    title: `${name} からの返金`,
    lead:
      (is_full ? 'お支払いの全額が返金されました。' : `お支払い ${paid} の一部が返金されました。`) +
      '金融機関によっては、入金までに数営業日かかることがあります。',
    button: '領収書を表示',
    note:
      'この返金についてご不明な点がある場合は、' +
      `上記の取引 ID を添えて ${name} へお問い合わせください。`,
  }),
  email_verification: ({ name }) => ({
    subject: `${name} の新しいメールアドレスをご確認ください`,
    title: '新しいメールアドレスをご確認ください',
    lead:
      `このアドレスが ${name} の新しいメールアドレスとして登録申請されました。` +
      '確認後は、このアドレスでログインしてください。',
    button: 'メールアドレスを確認する',
    note: '心当たりがない場合は、このメールを破棄してください。変更は行われません。',
  }),
  email_change_requested: ({ name }) => ({
    subject: `${name} のメールアドレス変更の申請がありました`,
    title: 'メールアドレス変更の申請がありました',
    lead:
      `新しいアドレスが確認されると、${name} のメールアドレスが変更されます。` +
      'それまでは現在のアドレスでログインしてください。',
    note:
      '心当たりがない場合は、すぐにパスワードを変更してください。' +
      'パスワードを変更すると、申請は取り消されます。',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `${name} のメールアドレスが変更されました`,
    title: 'メールアドレスが変更されました',
    lead: `新しいアドレスが確認されました。今後は新しいアドレスで ${name} にログインしてください。`,
    note: '心当たりがない場合は、ただちにこのサービスの管理者へご連絡ください。',
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `支払いへの異議申し立て：${name} へ ${amount}`,
    title: '支払いに異議が申し立てられました',
    lead:
      'カード名義人が、この支払いについて銀行に異議を申し立てました。' +
      '銀行が判断するまでの間、この金額は残高から差し引かれます。',
    note:
      '異議がある場合は、期限内に決済サービス会社へ証拠を提出してください。' +
      '異議申し立て中の支払いは返金できません。',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `異議申し立てが退けられました：${name} へ ${amount}`,
    title: '異議申し立てが退けられました',
    lead: '銀行はお客様の主張を認めました。金額は残高に戻されました。',
    note: 'ほかに必要な手続きはありません。',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `異議申し立てが認められました：${name} へ ${amount}`,
    title: '異議申し立てが認められました',
    lead: '銀行はカード名義人の主張を認めました。この金額は残高に戻りません。',
    note: 'ほかに必要な手続きはありません。金額は申し立ての時点で差し引かれています。',
  }),
  webhook_gone: ({ name }) => ({
    subject: `${name} の Webhook エンドポイントが無効になりました`,
    title: 'Webhook エンドポイントが無効になりました',
    lead: 'HTTP ステータス 410（Gone）が返されたため、イベントの送信を停止しました。',
    note:
      '受信を再開するには、エンドポイントを再度有効にしてください。' +
      '過去 90 日間のイベントは再送できます。',
  }),
  webhook_failing: ({ name }) => ({
    subject: `${name} の Webhook エンドポイントが無効になりました：配信エラー`,
    title: 'Webhook エンドポイントが無効になりました',
    lead: '数日間にわたりすべての配信が失敗したため、イベントの送信を停止しました。',
    note:
      'エンドポイントの問題を解消してから、再度有効にしてください。' +
      '過去 90 日間のイベントは再送できます。',
  }),
  how_to_pay: 'お支払い方法を見る',
  link: '次のリンクを開いてください：',
  without_button: 'ボタンが機能しない場合は、次のリンクを開いてください：',
  foot: (name) => `${name} に代わって送信しています。決済：Florin`,
}

const payment_page: Translations['payment_page'] = {
  payments_by: '決済：Florin',
  language: '言語',
  error: 'エラー',
  title: (amount, account) => `${account} に ${amount} を支払う`,

  payment_requested: 'お支払いのご依頼',
  amount_paid: 'お支払い金額',
  customer: '宛先',

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
  outcomes: { paid: '成功', declined: '拒否', insufficient_funds: '残高不足' },

  errors: {
    declined: ['カードが拒否されました。', '請求は発生していません。別のカードをお試しください。'],
    insufficient_funds: [
      'カードの残高が不足しています。',
      '請求は発生していません。別のカードをお試しください。',
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

  manual: {
    heading: 'お支払い方法',
    ask: (account) => `お支払い方法については ${account} にお問い合わせください。`,
    code_label: 'お振込の際は、このコードをご記入ください',
    copy: 'コードをコピー',
    copied: 'コピーしました',
    note: (account) => `${account} が入金を確認すると、このページが更新されます。`,
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
    number: '領収書番号',
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
    heading: 'お支払い依頼が見つかりません',
    text:
      'アドレスの一部が欠けていないかご確認ください。' +
      'または、メールのリンクをもう一度開いてください。',
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
  confirm_email_page,
}
