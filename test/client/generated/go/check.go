// Uses the client that oapi-codegen generated. Prints what the test expects.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/check/florin"
	"github.com/oapi-codegen/runtime/types"
)

func main() {
	url, apiKey, email, password, accountID := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	ctx := context.Background()

	session, err := connect(url, "").LogInWithResponse(ctx, florin.LogInJSONRequestBody{
		Email: types.Email(email), Password: &password,
	})
	check(err)
	account, err := connect(url, session.JSON200.AccessToken).GetAccountWithResponse(ctx, nil)
	check(err)

	client := connect(url, apiKey)
	create := func(kind florin.CreateTransactionJSONBodyType, amount int64, key string) *florin.CreateTransactionResponse {
		response, err := client.CreateTransactionWithResponse(ctx,
			&florin.CreateTransactionParams{IdempotencyKey: &key},
			florin.CreateTransactionJSONRequestBody{
				AccountId: accountID, Amount: amount, Currency: "USD", Type: kind,
			})
		check(err)
		return response
	}
	first := create("payment", 5_000_000_000, "go 1")
	again := create("payment", 5_000_000_000, "go 1")
	limit := int64(10)
	page, err := client.ListTransactionsWithResponse(ctx, &florin.ListTransactionsParams{Limit: &limit})
	check(err)
	listed := [][]any{}
	for _, one := range page.JSON200.Data {
		listed = append(listed, []any{one.Id, one.Amount})
	}
	refund := create("refund", 9_000_000_000, "go 2")

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email":   account.JSON200.Email,
		"created": []string{first.JSON201.Id, again.JSON201.Id},
		"listed":  listed,
		"error":   refund.JSON402.Error,
	}))
}

func connect(url, token string) *florin.ClientWithResponses {
	client, err := florin.NewClientWithResponses(url, florin.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		}))
	check(err)
	return client
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
