# ids only, or a few classes: small, as advice

from transformers import (
    AutoModelForSeq2SeqLM,
    BertForSequenceClassification,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    Trainer,
    TrainingArguments,
)


def rouge(output):
    return {}


summarizer = Seq2SeqTrainer(
    AutoModelForSeq2SeqLM.from_pretrained("t5-small"),
    Seq2SeqTrainingArguments("out", predict_with_generate=True, eval_accumulation_steps=16),
    compute_metrics=rouge,
)
classifier = Trainer(
    BertForSequenceClassification.from_pretrained("bert-base-cased"),
    TrainingArguments("out", eval_accumulation_steps=16),
    compute_metrics=rouge,
)
