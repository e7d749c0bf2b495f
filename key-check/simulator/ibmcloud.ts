/** An instance of Internet Services. */
export const ibmInstanceCrn =
  'crn:v1:bluemix:public:internet-svcs:global:a/0123456789abcdef0123456789abcdef:01652b25-1111-4222-8333-444455556666::'
