// Uses the client that openapi-generator generated. Prints what the test expects.

import com.fasterxml.jackson.databind.ObjectMapper;
import florin.ApiClient;
import florin.ApiException;
import florin.api.AccountsApi;
import florin.api.SessionsApi;
import florin.api.TransactionsApi;
import florin.model.CreateTransactionRequest;
import florin.model.Currency;
import florin.model.ListedTransaction;
import florin.model.LogInRequest;
import java.util.List;
import java.util.Map;

public class Check {
  public static void main(String[] args) throws Exception {
    String url = args[0], apiKey = args[1], email = args[2], password = args[3], accountId = args[4];

    var session = new SessionsApi(connect(url, null))
        .logIn(new LogInRequest().email(email).password(password));
    var account = new AccountsApi(connect(url, session.getAccessToken())).getAccount(null);

    var transactions = new TransactionsApi(connect(url, apiKey));
    var payment = request(accountId, 5_000_000_000L, CreateTransactionRequest.TypeEnum.PAYMENT);
    ListedTransaction first = transactions.createTransaction(payment, null, "java 1");
    ListedTransaction again = transactions.createTransaction(payment, null, "java 1");
    var page = transactions.listTransactions(10L, null, null, null, null, null, null, null, null);
    var listed = page.getData().stream()
        .map(one -> List.of(one.getId(), one.getAmount())).toList();

    Object error = null;
    try {
      var refund = request(accountId, 9_000_000_000L, CreateTransactionRequest.TypeEnum.REFUND);
      transactions.createTransaction(refund, null, "java 2");
    } catch (ApiException failed) {
      error = new ObjectMapper().readValue(failed.getResponseBody(), Map.class).get("error");
    }
    System.out.println(new ObjectMapper().writeValueAsString(Map.of(
        "email", account.getEmail(),
        "created", List.of(first.getId(), again.getId()),
        "listed", listed,
        "error", error)));
  }

  static ApiClient connect(String url, String token) {
    var client = new ApiClient();
    client.updateBaseUri(url);
    if (token != null) {
      client.setRequestInterceptor(
          request -> request.header("Authorization", "Bearer " + token));
    }
    return client;
  }

  static CreateTransactionRequest request(
      String accountId, long amount, CreateTransactionRequest.TypeEnum type) {
    return new CreateTransactionRequest()
        .accountId(accountId).amount(amount).currency(Currency.USD).type(type);
  }
}
