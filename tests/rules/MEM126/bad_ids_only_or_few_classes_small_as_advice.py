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
    Seq2SeqTrainingArguments("out", predict_with_generate=True),
    compute_metrics=rouge,  #! MEM126 advice
)
classifier = Trainer(
    BertForSequenceClassification.from_pretrained("bert-base-cased"),
    TrainingArguments("out"),
    compute_metrics=rouge,  #! MEM126 advice
)
