import { normalized } from "../text.ts"

/** The fields of a user that an import sets, and whether the account is active. An export has the same columns. */
export const importColumns = [
  "username",
  "name",
  "email",
  "dept",
  "currency",
  "avatar",
  "bio",
  "birthday",
  "joined",
  "manager",
  "active",
] as const

export type ImportColumn = (typeof importColumns)[number]

/** The columns that say something about the person of the row alone. */
export type OwnColumn = Exclude<ImportColumn, "manager">
export const ownColumns = importColumns.filter((column): column is OwnColumn => column !== "manager")

/**
 * What a column of a file may mean: a field, a part of a name, or in the words of a personnel system whether somebody works
 * there. Of people who are not here, a `status` or `blocked` that says no leaves the row out; `active` is a fault.
 */
export const meanings = [...importColumns, "first_name", "last_name", "status", "blocked"] as const

export type Meaning = (typeof meanings)[number]

/** The systems whose files need other names than these. */
export const presets = ["microsoft365", "entra", "google", "okta", "bamboohr", "personio", "hibob", "slack"] as const

export type Preset = (typeof presets)[number]

/**
 * Names of columns, as `keyOf` writes them. Behind a `|` stand names that count only if the file has none of those before,
 * such as the display name beside the full name.
 */
type Names = Readonly<Partial<Record<Meaning, string>>>

/** What spreadsheets and personnel systems call the columns, in English, Portuguese, Spanish, German and French. */
const names: Names = {
  username:
    "username user login loginname usuario nomedeusuario nomeusuario nombredeusuario benutzername benutzer nutzername " +
    "anmeldename nomdutilisateur utilisateur identifiant",
  name:
    "name fullname employeename nome nomecompleto nombre nombrecompleto nombreyapellidos vollstandigername " +
    "vollername nom nomcomplet nometprenom prenometnom mitarbeitername lastnamefirstname namelastfirst " +
    "namelastnamefirstname employeenamelastfirst nachnamevorname namenachnamevorname namevorname nomprenom " +
    "apellidosnombre apellidosynombre apellidosnombres | displayname anzeigename " +
    "nombreparamostrar nomedeexibicao nomcomplettoafficher nomdaffichage",
  first_name:
    "firstname givenname forename vorname rufname primeironome nomeproprio nombres nombredepila primernombre prenom",
  last_name:
    "lastname surname familyname nachname familienname sobrenome ultimonome apelido apellido apellidos nomdefamille",
  email:
    "workemail workemailaddress businessemail companyemail officialemail primaryemail primaryemailaddress primaryworkemail " +
    "geschaftlicheemail geschaftlicheemailadresse emailgeschaftlich emailgeschaftl geschaftsemail beruflicheemail " +
    "beruflicheemailadresse emailberuflich arbeitsemail emailarbeit dienstlicheemail dienstlicheemailadresse emaildienstlich " +
    "firmenemail unternehmensemail primareemail primareemailadresse emailcorporativo emailprofissional correocorporativo " +
    "emailprofessionnel | " +
    "email emailaddress mail mailaddress enderecodeemail correioeletronico correo correoelectronico " +
    "direcciondecorreo direcciondecorreoelectronico emailadresse mailadresse courriel adresseemail adressemail " +
    "adresseelectronique | userprincipalname userprincipalnameupn upn benutzerprinzipalname benutzerprinzipalnameupn",
  dept:
    "dept department departmentname abt departamento setor area abteilung abteilungsname departement service | " +
    "team bereich division organizationalunit organisationseinheit orgunit | orgunitpath pfadderorganisationseinheit",
  currency: "currency moeda moneda divisa wahrung waehrung devise monnaie",
  avatar: "avatar picture photo image foto imagem imagen bild profilbild",
  bio: "bio biography about aboutme biografia sobre biografie ubermich uebermich biographie apropos",
  birthday:
    "birthday dateofbirth birthdate dob aniversario datadenascimento datadeaniversario cumpleanos fechadenacimiento " +
    "fechanacimiento geburtstag geburtsdatum anniversaire datedenaissance",
  joined:
    "joined joindate joiningdate dateofjoining startdate hiredate hired hiringdate dateofhire " +
    "employmentstart firstday firstdayofwork entrada datadeentrada dataentrada admissao datadeadmissao " +
    "datadeinicio ingreso fechadeingreso incorporacion fechadealta fechaalta fechadeinicio eintritt eintrittsdatum " +
    "eintrittam einstellungsdatum einstellung eingestelltam startdatum beschaftigungsbeginn arbeitsbeginn anstellungsbeginn " +
    "ersterarbeitstag entree datedentree dateembauche datedembauche datededebut | originalhiredate originalstartdate employmentstartdate",
  manager:
    "manageremail manageremailaddress managerusername supervisoremail linemanageremail reportstoemail reportingtoemail " +
    "managersemail emailofmanager vorgesetzteremail emailvorgesetzter emaildesvorgesetzten emailadressedesvorgesetzten " +
    "emailadressedesmanagers emaildesmanagers berichtetanemail fuhrungskraftemail manageruserprincipalname managerupn | " +
    "manager managername mgr linemanager linemanagername supervisor supervisorname boss reportsto reportsdirectlyto " +
    "reportingto reportingmanager directmanager managerdisplayname gestor gestora chefe gerente superior jefe jefa responsable " +
    "supervisora vorgesetzter vorgesetzte vorgesetzteperson vorgesetztenname direktervorgesetzter direktevorgesetzte " +
    "fuhrungskraft fuehrungskraft teamleiter teamleitung teamlead berichtetan manageur responsablehierarchique " +
    "superieurhierarchique",
  active: "active isactive ativo ativa activo activa aktiv actif",
  status:
    "status employeestatus userstatus accountstatus lifecyclestatus accountenabled enabled isenabled mitarbeiterstatus " +
    "mitarbeiterinnenstatus mitarbeitendenstatus kontostatus kontoaktiviert kontoistaktiviert statut signinstatus anmeldestatus activeinactive aktivinaktiv lebenszyklusstatus | " +
    "employmentstatus beschaftigungsstatus anstellungsstatus arbeitsstatus",
  blocked:
    "blocked blockcredential blocksignin signinblocked suspended disabled accountdisabled gesperrt blockiert " +
    "anmeldungblockieren anmeldunggesperrt blockierteanmeldeinformationen anmeldedatenblockieren anmeldungblockiert anmeldeinformationenblockieren anmeldeinformationensperren " +
    "zugangsdatenblockieren kontodeaktiviert",
}

/** Where a word of a system means something else than elsewhere. */
const ofPreset: Readonly<Record<Preset, Names>> = {
  microsoft365: {
    email:
      "email emailaddress primarysmtpaddress | userprincipalname userprincipalnameupn username benutzerprinzipalname benutzername upn",
  },
  entra: {
    email:
      "mail email emailaddress | userprincipalname userprincipalnameupn username benutzerprinzipalname benutzername upn",
  },
  google: { email: "emailaddress email emailadresse" },
  okta: { email: "email primaryemail | login username benutzername anmeldename" },
  bamboohr: { name: "employeename name fullname | displayname", status: "status | employmentstatus" },
  personio: { dept: "department abteilung | team" },
  hibob: { status: "status lifecyclestatus | employmentstatus", email: "email workemail" },
  slack: { name: "fullname | displayname" },
}

/** What a name of a column means, and how many names are better. */
export interface Named {
  readonly means: Meaning
  readonly rank: number
}

/** So that the names of a preset come before all others. */
const worseThanPreset = 10

const byKey = (list: Names, worse: number): ReadonlyMap<string, Named> =>
  new Map(
    meanings.flatMap((means) =>
      (list[means] ?? "")
        .split("|")
        .flatMap((group, rank) =>
          (group.match(/\S+/g) ?? []).map((key) => [key, { means, rank: rank + worse }] as const),
        ),
    ),
  )

const general = byKey(names, worseThanPreset)
const special = new Map(presets.map((preset) => [preset, byKey(ofPreset[preset], 0)]))

/** Columns that an export has and an import never reads. */
const ignored = new Set("balance saldo kontostand solde".split(" "))
const passwords = new Set("password senha contrasena passwort kennwort motdepasse initialpassword".split(" "))

export const isIgnored = (header: string): boolean => ignored.has(keyOf(header))
export const isPassword = (header: string): boolean => keysOf(header).some((key) => passwords.has(key))

/** Undefined for any other word. */
export function meaningOf(header: string, preset: Preset | undefined): Named | undefined {
  const keys = keysOf(header)
  const ofSystem = preset && special.get(preset)
  return keys.map((key) => ofSystem?.get(key) ?? general.get(key)).find((one) => one !== undefined)
}

/** Whether a bare `name` of a file may be the other part of a name, as in `Name; Vorname` or `Nombre; Apellidos`. */
export const isBareName = (header: string): boolean => ["name", "nom", "nome", "nombre"].includes(keyOf(header))

/** Whether the column has the last name first, with a comma behind it: `Souza, Ana`. */
export const isReversedName = (header: string): boolean =>
  /^((employee)?(name)?(lastname|last|nachname)(firstname|first|vorname)|namevorname|nomprenom|apellidosy?nombres?)$/.test(
    keyOf(header),
  )

/** Whether the cells may be e-mail addresses although they are names of accounts. */
export const isLogin = (header: string): boolean => keysOf(header).some((key) => logins.has(key))

const logins = new Set(["login", "loginname", "anmeldename"])

/** Letters of a name that count. A header may be longer, with a hint such as `[MUST BE IN THE E.164 FORMAT]`. */
const maxKey = 40
const maxHeader = 160

/** Letters and digits alone, in lower case and without accents: `E-Mail-Adresse` becomes `emailadresse`. */
export const keyOf = (text: string): string =>
  normalized(text, "NFKD", maxKey)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** An address that is nobody's at work. */
const elsewhere = /priv|personal|persönlich|home|alternat|second|recovery|backup|zweit|pessoal|particular/i

/** What a header may be known by: the whole, what stands before a bracket, what stands in it, and what stands behind `user.` */
function keysOf(header: string): string[] {
  const text = header.trim()
  if (text.length > maxHeader) return []
  const bare = text
    .replace(/\[[^\]]*\]|\([^)]*\)/g, " ")
    .replace(/\b(required|optional|erforderlich|pflichtfeld)\b/gi, " ")
    .trim()
  if (bare === text)
    return [text, text.replace(/^(user|employee|profile|person|mitarbeiter|work|internal|root)[\s._:]+/i, "")].map(
      keyOf,
    )
  const inside = [...text.matchAll(/[[(]([^\])]*)[\])]/g)].map(([, word = ""]) => word)
  return elsewhere.test(text) ? [keyOf(text)] : [text, bare, ...inside].map(keyOf)
}

/** The words for whether somebody is there, as `keyOf` writes them. An export writes the first of each. */
const activeWords: ReadonlyMap<string, boolean> = new Map([
  ...words(
    true,
    "yes true 1 y sim si ja oui wahr verdadeiro verdadero vrai on active ativo ativa activo activa aktiv actif active " +
      "current employed hired enabled allowed zugelassen erlaubt unblocked onboarding onleave leave parentalleave inelternzeit elternzeit mutterschutz " +
      "beurlaubt abwesend sabbatical freigestellt noticeperiod gardenleave angestellt beschaftigt eingestellt aktiviert " +
      "fulltime parttime fulltimeemployee parttimeemployee contractor intern vollzeit teilzeit probation probezeit " +
      "provisioned staged recovery passwordexpired lockedout passwordreset pendinguseraction member admin owner primaryowner " +
      "workspaceadmin workspaceowner workspaceprimaryowner multichannelguest singlechannelguest guest invited " +
      "leaveofabsence unpaidleave paidleave maternityleave paternityleave sickleave medicalleave longtermsick furloughed " +
      "inmutterschutz krank langzeitkrank krankgeschrieben ruhend notice onnotice prehire newhire starter pending " +
      "pendingacceptance accepted temporary temp apprentice trainee working permanent fixedterm seasonal befristet " +
      "unbefristet auszubildender auszubildende werkstudent werkstudentin praktikant praktikantin freiermitarbeiter",
  ),
  ...words(
    false,
    "no false 0 n nao nein non falsch falso faux off inactive inativo inativa inactivo inactiva inaktiv inactif " +
      "terminated deactivated suspended deprovisioned disabled blocked left leaver former formeremployee resigned retired " +
      "offboarded archived deleted alumni ausgeschieden ausgetreten ehemalig ehemaliger ehemalige beendet gesperrt blockiert " +
      "deaktiviert archiviert desligado desligada demitido demitida desativado desativada baja despedido despedida " +
      "desactivado desactivada cesado cesada sorti sortie parti partie desactive desactivee licencie licenciee " +
      "notactive nonactive notemployed unemployed leftcompany deceased dead dismissed nichtaktiv passiv verstorben " +
      "ausgetretene entlassen pensioniert pensionierte rentner rentnerin inrente imruhestand ruhestand austritt",
  ),
])

function words(value: boolean, list: string): (readonly [string, boolean])[] {
  return list.split(" ").map((word) => [word, value] as const)
}

/** Undefined for any other word. */
export const activeIn = (cell: string): boolean | undefined =>
  activeWords.get(keyOf(cell)) ?? activeWords.get(keyOf(cell.slice(0, maxKey).replace(remark, "")))

/** What stands behind the word itself: `Active (parental leave)`, `Terminated - voluntary`. */
const remark = /\s*[(,;:/].*$|\s+[-–].*$/s
