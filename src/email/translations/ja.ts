import type { EmailTranslations } from './email-translations.ts'

export const ja: EmailTranslations = {
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
  labels: {
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
  },
  how_to_pay: 'お支払い方法を見る',
  link: '次のリンクを開いてください：',
  without_button: 'ボタンが機能しない場合は、次のリンクを開いてください：',
  sandbox: 'サンドボックス：実際のお金は動きません',
  foot: (name) => `${name} に代わって送信しています。決済：Florin`,
}
