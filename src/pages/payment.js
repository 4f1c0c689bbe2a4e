// The payment page works without this.
