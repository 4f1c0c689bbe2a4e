import type { EmailTranslations } from './email-translations.ts'

export const ja: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} から ${amount} のお支払いのご依頼`,
    title: `${name} からお支払いのご依頼です`,
    lead: 'お支払いページで金額と支払先を確認できます。確定するまで引き落としはありません。',
    lead_by_transfer: 'お支払いページで金額、支払先、お支払い方法を確認できます。',
    button: `${amount} を支払う`,
    note: `${name} に心当たりがない場合は、支払わないでください。ほかの手続きは不要です。`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `お支払いのお願い（再送）：${name} へ ${amount}`,
    title: `${name} へのお支払いがまだ完了していません`,
    lead: 'リンクは下記の日時まで有効です。まだ引き落としはありません。',
    lead_by_transfer:
      'リンクは下記の日時まで有効です。お支払い方法はお支払いページで確認できます。',
    button: `${amount} を支払う`,
    note: 'すでにお支払い済みの場合は、このメールと行き違いです。手続きは不要です。',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `領収書：${name} へ ${amount}`,
    title: `${name} へのお支払いが完了しました`,
    lead: 'このメールが領収書です。お支払いページから印刷することもできます。',
    button: '領収書を見る',
    note: `このお支払いに心当たりがない場合は、下記の取引番号を ${name} へお知らせください。`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `返金のお知らせ：${name} から ${amount}`,
    title: `${name} から返金がありました`,
    lead:
      (is_full ? 'お支払いの全額が返金されました。' : `お支払い ${paid} の一部が返金されました。`) +
      '金融機関によっては、入金まで数営業日かかることがあります。',
    button: '領収書を見る',
    note:
      'この返金についてご不明な点がある場合は、' +
      `下記の取引番号を添えて ${name} へお問い合わせください。`,
  }),
  email_verification: ({ name }) => ({
    subject: `${name} のメールアドレスの確認`,
    title: '新しいメールアドレスの確認',
    lead:
      `このアドレスを ${name} のメールアドレスにするよう申請がありました。` +
      '確認すると、以後はこのアドレスでログインします。',
    button: 'メールアドレスを確認する',
    note: '心当たりがない場合は、何もする必要はありません。確認しない限り何も変わりません。',
  }),
  email_change_requested: ({ name }) => ({
    subject: `${name} のメールアドレス変更の申請がありました`,
    title: 'メールアドレスの変更が申請されました',
    lead:
      `新しいアドレスが確認されると、${name} のメールアドレスが変わります。` +
      'それまでは現在のアドレスでログインできます。',
    note: '心当たりがない場合は、すぐにパスワードを変更してください。申請は無効になります。',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `${name} のメールアドレスが変わりました`,
    title: 'メールアドレスが変わりました',
    lead: `新しいアドレスが確認されました。今後 ${name} へは新しいアドレスでログインします。`,
    note: '心当たりがない場合は、すぐにこのサービスの運営者へ連絡してください。',
  }),
  webhook_gone: ({ name }) => ({
    subject: `${name} の Webhook を停止しました`,
    title: 'Webhook の送信先がなくなりました',
    lead: '受信側が 410 と応答しました。今後は何も送らないでほしいという意味です。',
    note: '再開するには、エンドポイントを有効にしてください。過去 90 日のイベントは再送できます。',
  }),
  webhook_failing: ({ name }) => ({
    subject: `${name} の Webhook を停止しました：数日間応答なし`,
    title: 'Webhook の送信先が応答しません',
    lead: '数日間、送信したものが一つも受け付けられていません。そのため送信を止めました。',
    note: '受信側を直してから、エンドポイントを有効にしてください。過去 90 日のイベントは再送できます。',
  }),
  labels: {
    to: '支払先',
    reference: '参照番号',
    pay_by: 'お支払い期限',
    until: '有効期限',
    paid_at: '支払日時',
    transaction: '取引番号',
    from: '返金元',
    paid: 'お支払い額',
    refunded_at: '返金日時',
    account: 'アカウント',
    new_email: '新しいアドレス',
    endpoint: 'エンドポイント',
    endpoint_id: 'エンドポイント ID',
  },
  how_to_pay: 'お支払い方法を見る',
  link: '次のアドレスを開いてください：',
  without_button: 'ボタンが使えない場合は、次のアドレスを開いてください：',
  sandbox: 'サンドボックス：実際のお金は動きません',
  foot: (name) => `${name} に代わって送信しています。決済：Florin`,
}
