import type * as en from "../../../en/app/admin/departments.ts"

export const departments: typeof en.departments = {
  title: "Departamentos",
  adminLead: "Renomear ou unir departamentos",
  lead: "Um departamento existe enquanto houver alguém nele. Um novo nome vale para todos nele e para as suas cotas; se outro departamento já tem o nome, os dois se tornam um.",
  superusers: "superusuários",
  own: "o seu: um superusuário o renomeia",
  left: "Todos deste departamento já saíram",
  rename: "Renomear",
  renameTitle: "Renomear {name}",
  newName: "Novo nome",
  missing: "Digite um nome.",
  same: "Este já é o nome dele.",
  next: "Continuar",
  moves: {
    one: "# pessoa passa de {from} para {to}.",
    other: "# pessoas passam de {from} para {to}.",
  },
  movesLeft: "Todos de {from} já saíram. As contas passam para {to}.",
  follows: {
    one: "# cota de {from} passará a valer para todos em {to}.",
    other: "# cotas de {from} passarão a valer para todos em {to}.",
  },
  joins: {
    one: "{to} já existe, com # pessoa. Depois não será possível distinguir os dois; isto não pode ser desfeito.",
    other: "{to} já existe, com # pessoas. Depois não será possível distinguir os dois; isto não pode ser desfeito.",
  },
  joinsLeft:
    "{to} já existe, e todos dele já saíram. Depois não será possível distinguir os dois; isto não pode ser desfeito.",
  merge: "Unir",
  done: { one: "# pessoa passou para {to}.", other: "# pessoas passaram para {to}." },
  doneLeft: "O nome agora é {to}.",
}
