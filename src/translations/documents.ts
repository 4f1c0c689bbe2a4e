// Texts of receipts and credit notes.

import type { Language } from './localization.ts'

interface DocumentTranslations {
  receipt: string
  credit_note: string
  number: string
  issued_at: string
  seller: string
  customer: string
  description: string
  amount: string
  payment: string
  refund: string
  amount_paid: string
  amount_refunded: string
  /** The id of the payment request. */
  request: string
  /** On a credit note: the number of the receipt. */
  corrects: string
  phone: string
}

export const document_translations: Record<Language, DocumentTranslations> = {
  en: {
    receipt: 'Receipt',
    credit_note: 'Credit note',
    number: 'Number',
    issued_at: 'Issued on',
    seller: 'Seller',
    customer: 'Customer',
    description: 'Description',
    amount: 'Amount',
    payment: 'Payment',
    refund: 'Refund',
    amount_paid: 'Amount paid',
    amount_refunded: 'Amount refunded',
    request: 'Payment request',
    corrects: 'Corrects receipt number',
    phone: 'Phone',
  },
  de: {
    receipt: 'Zahlungsbeleg',
    credit_note: 'Erstattungsbeleg',
    number: 'Nummer',
    issued_at: 'Ausgestellt am',
    seller: 'Verkäufer',
    customer: 'Kunde',
    description: 'Beschreibung',
    amount: 'Betrag',
    payment: 'Zahlung',
    refund: 'Rückerstattung',
    amount_paid: 'Bezahlter Betrag',
    amount_refunded: 'Erstatteter Betrag',
    request: 'Zahlungsanforderung',
    corrects: 'Korrigiert Zahlungsbeleg Nr.',
    phone: 'Telefon',
  },
  es: {
    receipt: 'Recibo',
    credit_note: 'Nota de crédito',
    number: 'Número',
    issued_at: 'Fecha de emisión',
    seller: 'Vendedor',
    customer: 'Cliente',
    description: 'Descripción',
    amount: 'Importe',
    payment: 'Pago',
    refund: 'Reembolso',
    amount_paid: 'Importe pagado',
    amount_refunded: 'Importe reembolsado',
    request: 'Solicitud de pago',
    corrects: 'Corrige el recibo número',
    phone: 'Teléfono',
  },
  fr: {
    receipt: 'Reçu',
    credit_note: 'Avoir',
    number: 'Numéro',
    issued_at: 'Émis le',
    seller: 'Vendeur',
    customer: 'Client',
    description: 'Description',
    amount: 'Montant',
    payment: 'Paiement',
    refund: 'Remboursement',
    amount_paid: 'Montant payé',
    amount_refunded: 'Montant remboursé',
    request: 'Demande de paiement',
    corrects: 'Rectifie le reçu numéro',
    phone: 'Téléphone',
  },
  ja: {
    receipt: '領収書',
    credit_note: '返金明細書',
    number: '番号',
    issued_at: '発行日',
    seller: '発行者',
    customer: 'お客様',
    description: '内容',
    amount: '金額',
    payment: 'お支払い',
    refund: '返金',
    amount_paid: 'お支払い金額',
    amount_refunded: '返金額',
    request: 'お支払いリクエスト',
    corrects: '対象の領収書番号',
    phone: '電話番号',
  },
  pt: {
    receipt: 'Recibo',
    credit_note: 'Nota de crédito',
    number: 'Número',
    issued_at: 'Emitido em',
    seller: 'Vendedor',
    customer: 'Cliente',
    description: 'Descrição',
    amount: 'Valor',
    payment: 'Pagamento',
    refund: 'Reembolso',
    amount_paid: 'Valor pago',
    amount_refunded: 'Valor reembolsado',
    request: 'Solicitação de pagamento',
    corrects: 'Corrige o recibo número',
    phone: 'Telefone',
  },
}
