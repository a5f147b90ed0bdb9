{{- define "fundstelle.labels" -}}
app.kubernetes.io/name: fundstelle
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
