# shrunk before they are kept

from transformers import AutoModelForMaskedLM, Trainer, TrainingArguments


def metrics(output):
    return {}


def best(logits, labels):
    return logits.argmax(dim=-1)


trainer = Trainer(
    AutoModelForMaskedLM.from_pretrained("roberta-base"),
    TrainingArguments("out"),
    compute_metrics=metrics,
    preprocess_logits_for_metrics=best,
)
