// Reads OTLP requests in JSON, one per line, with the decoder of the OpenTelemetry Collector, and
// prints one line for each span.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(lines.Bytes())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, resource := range traces.ResourceSpans().All() {
			service, _ := resource.Resource().Attributes().Get("service.name")
			for _, scope := range resource.ScopeSpans().All() {
				for _, span := range scope.Spans().All() {
					text, _ := json.Marshal(map[string]any{
						"service":    service.AsString(),
						"name":       span.Name(),
						"kind":       span.Kind(),
						"trace":      span.TraceID().String(),
						"parent":     span.ParentSpanID().String(),
						"ms":         span.EndTimestamp().AsTime().Sub(span.StartTimestamp().AsTime()).Seconds() * 1000,
						"attributes": span.Attributes().AsRaw(),
						"links":      span.Links().Len(),
					})
					fmt.Println(string(text))
				}
			}
		}
	}
}
