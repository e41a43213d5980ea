# `self.args` of the other class is another object: nothing is known of these

from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments


class Pretraining:
    def __init__(self):
        self.args = TrainingArguments("pretrained")


class Tuning:
    def __init__(self, args, metrics):
        self.args = args
        self.model = AutoModelForSequenceClassification.from_pretrained("bert-base-cased")
        self.trainer = Trainer(model=self.model, args=self.args, compute_metrics=metrics)
