# a trainer imported from the project may evaluate in its own way

from transformers import AutoModelForQuestionAnswering, TrainingArguments

from trainer_qa import QuestionAnsweringTrainer as Trainer


def metrics(output):
    return {}


trainer = Trainer(
    model=AutoModelForQuestionAnswering.from_pretrained("bert-base-cased"),
    args=TrainingArguments("out"),
    compute_metrics=metrics,
)
