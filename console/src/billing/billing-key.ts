export const billingKey = ['billing']
