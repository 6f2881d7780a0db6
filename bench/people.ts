import { managementDept } from "../src/domain/auth/roles.ts"
import type { NewUser } from "../src/domain/model.ts"
import { defaultCurrency, usernameFrom } from "../src/domain/people/fields.ts"

/** One user in this many is a manager, who grants points without limit. */
const managerEvery = 50

/**
 * People of a company, `count` of them: `admin` first, then `busy` and `quiet`, then names as they come. All have the
 * password whose hash is `password`.
 */
export const peopleOf = (count: number, password: string): NewUser[] =>
  Array.from({ length: count }, (_, index) => person(index, password))

function person(index: number, password: string): NewUser {
  const name = named[index] ?? nameOf(index - named.length)
  const isManager = index === 0 || (index >= named.length && index % managerEvery === 0)
  return {
    name,
    username: usernameFrom(name),
    email: `${index + 1}@example.com`,
    dept: isManager ? managementDept : (depts[index % depts.length] ?? ""),
    currency: defaultCurrency,
    avatar: null,
    bio: null,
    password,
  }
}

const named = ["Admin", "Busy", "Quiet"]

/** Different for each index; one who follows another in this order does not in the order of names. */
function nameOf(index: number): string {
  const first = firstNames[(index * 7) % firstNames.length]
  const rest = Math.floor(index / firstNames.length)
  const last = lastNames[(rest * 3 + index) % lastNames.length]
  const round = Math.floor(rest / lastNames.length)
  return round === 0 ? `${first} ${last}` : `${first} ${last} ${round + 1}`
}

const depts = ["sales", "engineering", "support", "finance", "people", "design", "legal"]

const firstNames = `Adaeze Agnieszka Aiko Alejandro Amara Amélie Ana Anders Antônio Astrid Beatriz Bruno Camila Carla
  Caspar Chiara Chloé Dagmar Davi Denisa Diego Dimitri Efua Elif Emre Erik Esther Fatima Felipe Femi Fiona Freya Gabriel
  Gitte Giulia Hana Hassan Heitor Henrike Hugo Ines Ingrid Isabela Ivo Jana Jasper João Jonas Kaito Karin Kwame Larissa
  Leila Leonardo Lucía Luuk Maja Malik Marta Mateus Mei Mikael Nadia Naoko Nicolau Noor Olena Olivia Omar Oskar Paula
  Pedro Petra Priya Rafael Rania Renata Ricardo Rosa Ruben Sana Santiago Sara Sibel Sofia Stefan Tadeu Tala Theo Tomás
  Uli Valentina Vera Victor Wanda Xenia Yara Yusuf Zoé`.split(/\s+/)

const lastNames =
  `Abreu Adeyemi Albers Almeida Andersson Araújo Bakker Barbosa Bauer Becker Bianchi Braga Campos Cardoso
  Carvalho Castro Costa Cruz Dahl Dias Duarte Ekström Esteves Farias Fernandes Ferrari Ferreira Fischer Fonseca Freitas
  García Gomes Gonçalves Haddad Hansen Hartmann Herrera Hoffmann Ito Jansen Jensen Johansson Kaya Keller Kim Klein
  Kowalski Krüger Larsen Leal Lima Lopes Macedo Machado Marino Martins Medeiros Mendes Meyer Monteiro Moraes Moreira
  Nakamura Nascimento Neumann Nguyen Nielsen Nogueira Novak Oliveira Okafor Pacheco Peixoto Pereira Petrov Pinto Pires
  Quintana Ramos Reis Ribeiro Rocha Rodrigues Rossi Sá Salazar Santos Sato Schmidt Silva Silveira Sousa Souza Tanaka
  Teixeira Vargas Vieira Visser Weber Yamamoto Yılmaz Zhang Öztürk`.split(/\s+/)
